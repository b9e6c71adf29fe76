"""A party's seat: its key, its seed chains, its memory, and its checks before it signs (specs/seats.md).

seat           one party with its key: signs events, opens, acknowledges, signs checkpoints
event_signer   the one place where it signs: after the checks, and with a record
keyless_seat   what it does without its key: keeps receipts, warns its owner
fork_guard     the checks before a seat signs or opens
seed_vault     its seed chains: the only place that gives out links; `seed_chain` computes one
opening_checks the roll that waits, and others' openings for it
secret_rolls   seals and shows of a holder of secret rolls; `sealing` has the cryptography

records        what a seat remembers of a game
memory         the interface of a memory
memory_file    a memory in a file; `memory_places` says where it stands, `sealed_records` how it is sealed
memory_service a memory in a service; `service_opening` opens it, `service_rows` names and seals its rows,
               `service_checks` says whether that is durable, `known` how far its records had come
transfer       the move to another machine
snapshots      the state of a long game, which saves a replay

identity       the key pair of a party; `key_file` its file
profile        the file of a recovery key, sealed under a passphrase
"""
