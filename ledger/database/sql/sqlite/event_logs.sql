CREATE TABLE IF NOT EXISTS event_lines (
    event TEXT NOT NULL, seq INTEGER NOT NULL, line BLOB NOT NULL, PRIMARY KEY (event, seq)) STRICT;

CREATE TABLE IF NOT EXISTS event_titles (event TEXT PRIMARY KEY, title TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS event_begun (open TEXT PRIMARY KEY, event TEXT NOT NULL) STRICT;

CREATE TRIGGER IF NOT EXISTS event_lines_no_update BEFORE UPDATE ON event_lines
BEGIN SELECT RAISE(ABORT, 'event_lines is append-only'); END;

CREATE TRIGGER IF NOT EXISTS event_lines_no_delete BEFORE DELETE ON event_lines
BEGIN SELECT RAISE(ABORT, 'event_lines is append-only'); END;
