CREATE TABLE IF NOT EXISTS logs (
    origin TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, keeper TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS cosigned (
    origin TEXT PRIMARY KEY REFERENCES logs (origin), size INTEGER NOT NULL, note TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS counted (
    only INTEGER PRIMARY KEY CHECK (only = 1), number INTEGER NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS refused (
    origin TEXT PRIMARY KEY REFERENCES logs (origin), note TEXT NOT NULL, held TEXT NOT NULL) STRICT;

CREATE TRIGGER IF NOT EXISTS logs_no_update BEFORE UPDATE ON logs
BEGIN SELECT RAISE(ABORT, 'logs is append-only'); END;

CREATE TRIGGER IF NOT EXISTS logs_no_delete BEFORE DELETE ON logs
BEGIN SELECT RAISE(ABORT, 'logs is append-only'); END;

CREATE TRIGGER IF NOT EXISTS refused_no_update BEFORE UPDATE ON refused
BEGIN SELECT RAISE(ABORT, 'refused is append-only'); END;

CREATE TRIGGER IF NOT EXISTS refused_no_delete BEFORE DELETE ON refused
BEGIN SELECT RAISE(ABORT, 'refused is append-only'); END;

CREATE TRIGGER IF NOT EXISTS cosigned_no_delete BEFORE DELETE ON cosigned
BEGIN SELECT RAISE(ABORT, 'a witness does not forget'); END;

CREATE TRIGGER IF NOT EXISTS cosigned_no_rollback BEFORE UPDATE ON cosigned WHEN new.size < old.size
BEGIN SELECT RAISE(ABORT, 'a witness does not go back'); END;
