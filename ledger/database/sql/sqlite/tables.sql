CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, terms TEXT NOT NULL, start TEXT, game TEXT UNIQUE,
    deleted INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE IF NOT EXISTS seats (
    id INTEGER PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables (id), name TEXT NOT NULL, key TEXT NOT NULL,
    seat TEXT NOT NULL, whose TEXT NOT NULL, UNIQUE (table_id, key)) STRICT;

CREATE TABLE IF NOT EXISTS invites (
    id INTEGER PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables (id), invite TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS unseated (
    table_id TEXT NOT NULL REFERENCES tables (id), key TEXT NOT NULL, PRIMARY KEY (table_id, key)) STRICT;

CREATE TABLE IF NOT EXISTS link_tokens (
    digest TEXT NOT NULL, table_id TEXT NOT NULL REFERENCES tables (id), PRIMARY KEY (digest, table_id)) STRICT;

CREATE TABLE IF NOT EXISTS party_tokens (
    digest TEXT PRIMARY KEY, game TEXT NOT NULL, party TEXT NOT NULL) STRICT;

CREATE INDEX IF NOT EXISTS party_tokens_game ON party_tokens (game);
