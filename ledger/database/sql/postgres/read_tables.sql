CREATE TABLE IF NOT EXISTS games (
    game TEXT PRIMARY KEY, title TEXT NOT NULL, system TEXT NOT NULL, contributors TEXT NOT NULL,
    phase TEXT NOT NULL, events BIGINT NOT NULL, head TEXT NOT NULL, root TEXT NOT NULL,
    opened TEXT NOT NULL, changed TEXT NOT NULL);

CREATE INDEX IF NOT EXISTS games_pending ON games (game) WHERE phase = 'pending';

CREATE TABLE IF NOT EXISTS parties (
    game TEXT NOT NULL, party TEXT NOT NULL, position BIGINT NOT NULL, role TEXT NOT NULL, key TEXT NOT NULL,
    joined BIGINT NOT NULL, gone BIGINT NOT NULL, away BIGINT NOT NULL, PRIMARY KEY (game, party));

CREATE TABLE IF NOT EXISTS rolls (
    game TEXT NOT NULL, roll BIGINT NOT NULL, player TEXT NOT NULL, status TEXT NOT NULL, source TEXT NOT NULL,
    notation TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (game, roll));

CREATE TABLE IF NOT EXISTS dice (
    game TEXT NOT NULL, roll BIGINT NOT NULL, die BIGINT NOT NULL, sides BIGINT NOT NULL, naturals TEXT NOT NULL,
    "natural" BIGINT NOT NULL, result BIGINT, status TEXT NOT NULL, PRIMARY KEY (game, roll, die));

CREATE TABLE IF NOT EXISTS rulings (
    game TEXT NOT NULL, seq BIGINT NOT NULL, judge TEXT NOT NULL, ruling TEXT NOT NULL, subject BIGINT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (game, seq));

CREATE TABLE IF NOT EXISTS voids (
    game TEXT NOT NULL, seq BIGINT NOT NULL, author TEXT NOT NULL, missing TEXT NOT NULL,
    PRIMARY KEY (game, seq));
