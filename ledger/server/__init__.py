"""A server, which keeps games for people on other machines (specs/network.md).

app        the paths: requests and answers
service    tables and games; passes writes to the writer, and news to the readers
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
