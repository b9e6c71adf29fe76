/* Taken and untaken (specs/protocol.md): two honest guests and a keeper, whose messages are delayed, put out of
   order, doubled and lost.

   A line is a number with the line that it stands on; 0 is the common beginning. What somebody has signed stays in
   the world, and reaches anybody at any later time, or never: so no channel is modelled.

   What counts as evidence (specs/disputes.md, "Who vouches for a line"): a guest vouches for all lines before the run
   of its own that ends in one that it signed, and for the request that it opened for with all before it. A party that
   vouches for two lines of which neither leads to the other has signed two histories.

   A guest signs upon the last line that it knows as taken, or upon what it has itself signed upon that.

     CHEAT         the keeper signs over any line, and writes lines upon any line
     OLD_RULES     a guest signs and opens upon others' lines that the keeper has not signed over
     OLD_SIGN      it signs so, but does not open
     OWN_COUNTS    a guest vouches for all lines before one that it signed, its own too
     HEAD_UNTAKEN  it remembers as its head what it has signed, taken or not */

#ifndef LINES
#define LINES 5           /* lines in the world, with the beginning */
#endif
#ifndef WANTS
#define WANTS 1           /* events that each guest wants in the log */
#endif
#ifdef OLD_RULES
#define OLD_SIGN
#endif

byte lines = 1;
short up[LINES];          /* a set: the line, and all that it stands on */
byte parent[LINES], by[LINES];
short sealed = 1;         /* a set: the keeper signed over it */
byte head;                /* the honest keeper's last line */

byte taken[2];            /* the last line that the guest knows as taken */
byte seen[2];             /* the last line that it signs upon: the same, or the last of its own upon it, by the rules */
byte vouched[2];          /* the last line that it vouches for */
byte offers[2];           /* how many of its own events lead from the one to the other */
byte got[2];              /* how many of its events were taken */
bool stopped[2], evidence[2];
bool kept = true;         /* the honest keeper's own statements are of one history */

#define IN(set, x)  (((set) >> (x)) & 1)
#define BEFORE(x, y) IN(up[y], x)                       /* y stands on x, or is x */
#define APART(x, y) (!BEFORE(x, y) && !BEFORE(y, x))

ltl no_evidence { [] !(evidence[0] || evidence[1] || !kept) }
ltl progress    { <> (got[0] == WANTS && got[1] == WANTS) }

inline vouch(g, x) {
    if
    :: APART(vouched[g], x) -> evidence[g] = true
    :: !APART(vouched[g], x) && BEFORE(vouched[g], x) -> vouched[g] = x
    :: else
    fi
}

inline write(x, who) {  /* a new line upon line x */
    up[lines] = up[x] | (1 << lines); parent[lines] = x; by[lines] = who;
    lines++
}

inline learn(g, x) {      /* the guest is shown that the keeper has signed over line x, with the log up to it */
    if
    :: APART(taken[g], x) -> stopped[g] = true               /* both are taken: a fork */
#ifdef HEAD_UNTAKEN
    :: !APART(taken[g], x) && APART(seen[g], x) -> stopped[g] = true    /* "the line at its head is another" */
    :: !APART(taken[g], x) && !APART(seen[g], x) && BEFORE(taken[g], x) ->
#else
    :: !APART(taken[g], x) && BEFORE(taken[g], x) ->
#endif
        y = seen[g];
        offers[g] = 0;
        do
        :: y != taken[g] && BEFORE(y, x)  -> got[g] = got[g] + (by[y] == g); y = parent[y]
        :: y != taken[g] && !BEFORE(y, x) -> offers[g] = offers[g] + (by[y] == g); y = parent[y]
        :: else -> break
        od;
        y = 0;
        taken[g] = x;
        if
        :: !BEFORE(x, seen[g]) -> seen[g] = x; offers[g] = 0 /* what is not taken makes room */
        :: else
        fi
    :: else
    fi
}

#define LEARN(x) :: atomic { !stopped[g] && x < lines && IN(sealed, x) && !BEFORE(x, taken[g]) -> learn(g, x) }
#define SEE(x)   :: atomic { !stopped[g] && x < lines && !IN(sealed, x) && x != seen[g] && BEFORE(seen[g], x) -> seen[g] = x }
#define TAKE(x)  :: atomic { x < lines && parent[x] == head && !IN(sealed, x) -> head = x; sealed = sealed | (1 << x) }
#define SEAL(x)  :: atomic { x < lines && !IN(sealed, x) -> sealed = sealed | (1 << x) }
#define UPON(x)  :: atomic { x < lines && lines < LINES -> write(x, 2) }

proctype guest(byte g)
{
    byte y;
    do
    LEARN(1) LEARN(2) LEARN(3) LEARN(4)
#if LINES > 5
    LEARN(5) LEARN(6)
#endif
#if LINES > 7
    LEARN(7) LEARN(8)
#endif
#ifdef OLD_SIGN
    SEE(1) SEE(2) SEE(3) SEE(4)
#endif
    :: atomic { !stopped[g] && got[g] + offers[g] < WANTS && lines < LINES ->         /* it signs an event */
            y = seen[g];
#ifndef OWN_COUNTS
            do :: by[y] == g -> y = parent[y] :: else -> break od;
#endif
            vouch(g, y);
            y = 0;
            write(seen[g], g);
            seen[g] = lines - 1;
            offers[g]++ }
#ifdef OLD_RULES
    :: atomic { !stopped[g] && vouched[g] != seen[g] -> vouch(g, seen[g]) }           /* it opens for a request */
#else
    :: atomic { !stopped[g] && vouched[g] != taken[g] -> vouch(g, taken[g]) }
#endif
    od
}

proctype keeper()
{
    do
#ifdef CHEAT
    SEAL(1) SEAL(2) SEAL(3) SEAL(4)
    UPON(0) UPON(1) UPON(2) UPON(3)
#if LINES > 5
    SEAL(5) SEAL(6) UPON(4) UPON(5)
#endif
#if LINES > 7
    SEAL(7) SEAL(8) UPON(6) UPON(7)
#endif
#else
    TAKE(1) TAKE(2) TAKE(3) TAKE(4)
#if LINES > 5
    TAKE(5) TAKE(6)
#endif
#if LINES > 7
    TAKE(7) TAKE(8)
#endif
#endif
    od
}

init
{
    atomic { up[0] = 1; by[0] = 2; run guest(0); run guest(1); run keeper() }
}
