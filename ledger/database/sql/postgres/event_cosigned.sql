CREATE TABLE IF NOT EXISTS event_cosigned (
    event TEXT NOT NULL, witness TEXT NOT NULL, size BIGINT NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (event, witness));
