CREATE TABLE IF NOT EXISTS events (
    game TEXT NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (game, seq)) STRICT;

CREATE TABLE IF NOT EXISTS openings (
    number INTEGER PRIMARY KEY, game TEXT NOT NULL, request TEXT NOT NULL, author TEXT NOT NULL,
    link_index INTEGER NOT NULL, link TEXT NOT NULL, sig TEXT NOT NULL, UNIQUE (game, request, author)) STRICT;

CREATE TABLE IF NOT EXISTS received (
    number INTEGER PRIMARY KEY, game TEXT NOT NULL, request TEXT NOT NULL, author TEXT NOT NULL,
    receiver TEXT NOT NULL, line TEXT NOT NULL, UNIQUE (game, request, author, receiver)) STRICT;

CREATE TABLE IF NOT EXISTS checkpoints (
    game TEXT PRIMARY KEY, size INTEGER NOT NULL, note TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS deleted (game TEXT PRIMARY KEY) STRICT;

CREATE VIEW IF NOT EXISTS timeline AS
    SELECT game, seq, json_extract(line, '$.time') AS time, json_extract(line, '$.author') AS author,
           json_extract(line, '$.type') AS type, json_extract(line, '$.body') AS body FROM events;

CREATE TRIGGER IF NOT EXISTS events_no_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;

CREATE TRIGGER IF NOT EXISTS events_no_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;

CREATE TRIGGER IF NOT EXISTS openings_no_update BEFORE UPDATE ON openings
BEGIN SELECT RAISE(ABORT, 'openings is append-only'); END;

CREATE TRIGGER IF NOT EXISTS openings_no_delete BEFORE DELETE ON openings
BEGIN SELECT RAISE(ABORT, 'openings is append-only'); END;

CREATE TRIGGER IF NOT EXISTS received_no_update BEFORE UPDATE ON received
BEGIN SELECT RAISE(ABORT, 'received is append-only'); END;

CREATE TRIGGER IF NOT EXISTS received_no_delete BEFORE DELETE ON received
BEGIN SELECT RAISE(ABORT, 'received is append-only'); END;
