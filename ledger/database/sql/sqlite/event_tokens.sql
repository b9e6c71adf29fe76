CREATE TABLE IF NOT EXISTS event_tokens (
    id INTEGER PRIMARY KEY, event TEXT NOT NULL, digest TEXT NOT NULL, party TEXT NOT NULL,
    UNIQUE (event, digest)) STRICT;

CREATE INDEX IF NOT EXISTS event_tokens_party ON event_tokens (event, party);

CREATE TABLE IF NOT EXISTS event_games (game TEXT PRIMARY KEY, event TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS event_names (event TEXT PRIMARY KEY, names BLOB NOT NULL) STRICT;
