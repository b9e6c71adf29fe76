"""A server, which keeps games for people on other machines (specs/network.md).

app        the paths: requests and answers
service    the parts of a server and their work in the background
access     who may read tables and games
clock      gives the time, evenly where the machine's clock is set to another
table_states a table as it stands
table_lifecycle takes a table, begins its game and closes it
seating    who sits at a table, and who comes later
deletion   deletes tables and games
game_posts lines, openings and receipts of parties
news       delivers what was written
writer     the one thread that stores
hub        the subscriptions of readers
sse        the live stream
tables     the lobby: terms, seats, starts, tokens
logs       tile logs of games, and the log of final checkpoints
cosigning  requests to public witnesses; `cosigned` lists the logs
witnessing a public witness
public_games writes closed games to a folder for everybody
webhook    posts results to a channel; `results` makes the posts
bodies     reads posted bodies, with bounds
limits     rate limits
problems   refusals
protocol   connections, with time limits
run        start, drain, stop
"""
