"""A server: games kept for people on other machines (specs/network.md).

app        paths, and what each takes and gives
service    the writer: what came together is done together, and told to whoever follows
hub        who follows what
sse        the live stream
tables     the lobby: terms, seats, starts, tokens
tiles      a game as a tile log
anchors    the log of final checkpoints
cosigning  asking public witnesses for cosignatures; cosigned, of which logs
witnessing being asked, as a public witness
webhook    posting results to a channel elsewhere; results, what is posted
bodies     what is posted, bounded
limits     who may ask how often
problems   refusals
protocol   connections: slow ones are ended
run        start, drain, stop
"""
