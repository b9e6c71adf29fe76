/* Taken and untaken (specs/protocol.md): two honest guests and a keeper, whose messages are delayed, put out of
   order, doubled and lost.

   A line is a number with the line that it stands on; 0 is the common beginning. What somebody has signed stays in
   the world, and reaches anybody at any later time, or never: so no channel is modelled.

   What counts as evidence (specs/disputes.md, "Who vouches for a line"): a guest vouches for all lines before one
   that it signed, and for the request that it opened for with all before it. A party that vouches for two lines of
   which neither leads to the other has signed two histories.

     CHEAT         the keeper signs over any line, and writes lines upon any line
     OLD_RULES     a guest signs and opens upon lines that the keeper has not signed over
     OLD_SIGN      it signs so, but does not open
     HEAD_UNTAKEN  it does neither, but remembers as its head what it has verified, taken or not */

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
byte parent[LINES];
short sealed = 1;         /* a set: the keeper signed over it */
byte head;                /* the honest keeper's last line */

byte taken[2];            /* the last line that the guest knows as taken */
byte seen[2];             /* the last line that it signs upon: the same, by the rules */
byte vouched[2];          /* the last line that it vouches for */
byte offer[2];            /* its own event that it has last signed */
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

inline write(x) {       /* a new line upon line x */
    up[lines] = up[x] | (1 << lines); parent[lines] = x;
    lines++
}

inline learn(g, x) {      /* the guest is shown that the keeper has signed over line x, with the log up to it */
    if
    :: APART(taken[g], x) -> stopped[g] = true               /* both are taken: a fork */
    :: !APART(taken[g], x) && BEFORE(taken[g], x) ->
        taken[g] = x;
#ifdef HEAD_UNTAKEN
        if
        :: APART(seen[g], x) -> stopped[g] = true            /* "the line at its head is another" */
        :: else -> if :: BEFORE(seen[g], x) -> seen[g] = x :: else fi
        fi;
#else
        if
        :: !BEFORE(x, seen[g]) -> seen[g] = x                /* what is not taken makes room */
        :: else
        fi;
#endif
        if
        :: offer[g] != 0 && BEFORE(offer[g], x) -> got[g]++; offer[g] = 0
        :: offer[g] != 0 && APART(offer[g], x) -> offer[g] = 0
        :: else
        fi
    :: else
    fi
}

#define LEARN(x) :: atomic { !stopped[g] && x < lines && IN(sealed, x) && !BEFORE(x, taken[g]) -> learn(g, x) }
#define SEE(x)   :: atomic { !stopped[g] && x < lines && !IN(sealed, x) && x != seen[g] && BEFORE(seen[g], x) -> seen[g] = x }
#define TAKE(x)  :: atomic { x < lines && parent[x] == head && !IN(sealed, x) -> head = x; sealed = sealed | (1 << x) }
#define SEAL(x)  :: atomic { x < lines && !IN(sealed, x) -> sealed = sealed | (1 << x) }
#define UPON(x)  :: atomic { x < lines && lines < LINES -> write(x) }

proctype guest(byte g)
{
    do
    LEARN(1) LEARN(2) LEARN(3) LEARN(4)
#if LINES > 5
    LEARN(5) LEARN(6)
#endif
#if LINES > 7
    LEARN(7) LEARN(8)
#endif
#if defined(OLD_SIGN) || defined(HEAD_UNTAKEN)
    SEE(1) SEE(2) SEE(3) SEE(4)
#endif
    :: atomic { !stopped[g] && got[g] < WANTS && offer[g] == 0 && lines < LINES ->    /* it signs an event */
#ifdef OLD_SIGN
            vouch(g, seen[g]);
            write(seen[g]);
            seen[g] = lines - 1;
#else
            vouch(g, taken[g]);
            write(taken[g]);
#endif
            offer[g] = lines - 1 }
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
    atomic { up[0] = 1; run guest(0); run guest(1); run keeper() }
}
