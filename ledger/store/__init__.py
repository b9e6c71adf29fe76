"""The store of logs: their lines byte for byte, replays of them, read tables, and the databases underneath.

ledger         a store with the keeper's appends, composed of the others
game_database  an open database, on which the parts of a store work together
catalog        questions about all games
line_writer    the one place where lines are written
importing      imports of logs from files and servers
checkpoints    which checkpoints are taken, and with which cosignatures
game_cache     the games in memory, brought up to date with what others have written; `snapshot_starts`: from where
game_view      a stored game as a seat sees it
stored_logs    lines and checkpoints as the database has them
transactions   who may write when, and what a failure discards; `writes` are the rows
receipts       the result of an append
cosignatures   which cosignatures are stored with a checkpoint
projections    the rows of the read tables; `read_tables` writes those of whole games, `rebuilding` with processes
event_logs     the logs of events

statements     parts of SQL; the tables are in `ledger/database/sql`
storage        the interface of a database, and SQLite; `postgres` is the other, `inspection` looks at its server
copying        copies of SQLite files; `postgres_copying` of a PostgreSQL database; `contents` compares two stores
"""
