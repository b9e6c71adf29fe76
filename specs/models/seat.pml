/* A seat: one honest party's program under crash, concurrency and restore (specs/seats.md).

   The adversary shows each use of the seat one of two histories of one game, 1 and 2; each has one request, which
   asks for the same link. It decides when the keeper signs over which of them, when backups are made and put back,
   and where a process is killed: between any two steps.

   One rule can be taken away at a time, to see that it is needed:
     OLD_SPLIT     look-up and record are two statements, and processes do not take turns
     OLD_MEMORY    the memory lies in the folder that is backed up, without a counter
     OLD_TRUST     lines of the store are trusted: it opens without the keeper's signature
     OLD_BLIND     what the log shows under its own key is not compared with what it remembers
     COPY_LATE     the folder's copy of the counter is written after the signature has left
     COPY_UNLOCKED the copy is written after the turn has ended
   OLD_RULES is the first four. */

#ifndef PROCESSES
#define PROCESSES 2
#endif
#ifndef RESTORES
#define RESTORES 1    /* how often a backup is put back; uses are not bounded */
#endif

#ifdef OLD_RULES
#define OLD_SPLIT
#define OLD_MEMORY
#define OLD_TRUST
#define OLD_BLIND
#endif

mtype = { sign, open, call_off }

/* The memory: the history of its head, the history whose request it opened for, or voided; the counter of records. */
byte head, opened, voided, counter;
/* The copy of the counter, in the identity's folder. */
byte copy;
/* A backup of both. */
byte old_head, old_opened, old_voided, old_counter, old_copy;

byte turn;               /* the process whose turn it is, plus one */
byte at_work;            /* processes that are in the middle of something */
bool over_1, over_2;     /* the keeper has signed over the request of this history */

/* What has left the seat. Nothing that is put back takes it away. */
bool signed_1, signed_2, opened_1, opened_2, voided_1, voided_2, untaken;

#define OVER(h) ((h) == 1 -> over_1 : over_2)

ltl one_link     { [] !(opened_1 && opened_2) }
ltl one_history  { [] !(signed_1 && signed_2) }
ltl open_or_void { [] !((opened_1 && voided_1) || (opened_2 && voided_2)) }
ltl only_taken   { [] !untaken }
ltl all_of_them  { [] !((opened_1 && opened_2) || (signed_1 && signed_2) || (opened_1 && voided_1)
                        || (opened_2 && voided_2) || untaken) }

#define MAY_BE_KILLED if :: skip :: goto killed fi

active [PROCESSES] proctype seat()
{
    byte history;
    mtype what;
    bool may;

    do
    :: atomic {
#ifndef OLD_SPLIT
            turn == 0 -> turn = _pid + 1;
#endif
            if :: history = 1 :: history = 2 fi;
            if :: what = sign :: what = open :: what = call_off fi;
            at_work++
        }
        MAY_BE_KILLED;

        /* Look up and check. */
        d_step {
            may = (head == 0 || head == history);
            if
            :: what == open ->
                may = may && (opened == 0 || opened == history) && voided != history;
#ifndef OLD_TRUST
                may = may && OVER(history)
#endif
            :: what == call_off -> may = may && opened != history
            :: else
            fi;
#ifndef OLD_MEMORY
            may = may && counter >= copy;
#endif
#ifdef SHOWN            /* the log that it is shown has all that ever left it */
#ifndef OLD_BLIND
            may = may && (!signed_1 || head == 1) && (!signed_2 || head == 2);
            may = may && (!opened_1 || opened == 1) && (!opened_2 || opened == 2);
            may = may && (!voided_1 || voided == 1) && (!voided_2 || voided == 2)
#endif
#endif
        }
        MAY_BE_KILLED;
        if
        :: !may -> goto killed      /* it does nothing, and its turn ends */
        :: else
        fi;

        /* Record, durably: one commit. */
        d_step {
            if
            :: head != history || (what == open && opened != history) || (what == call_off && voided != history) ->
#ifndef OLD_MEMORY
                counter++
#else
                skip
#endif
            :: else
            fi;
            head = history;
            if
            :: what == open -> opened = history
            :: what == call_off -> voided = history
            :: else
            fi
        }
        MAY_BE_KILLED;
#if !defined(OLD_MEMORY) && !defined(COPY_LATE) && !defined(COPY_UNLOCKED)
        copy = counter;
        MAY_BE_KILLED;
#endif
#ifdef COPY_UNLOCKED
        byte now;
        now = counter;
#endif
        d_step { if :: turn == _pid + 1 -> turn = 0 :: else fi }
        MAY_BE_KILLED;
#ifdef COPY_UNLOCKED
        copy = now;
        MAY_BE_KILLED;
#endif

        /* It leaves. */
        d_step {
            untaken = untaken || (what == open && !OVER(history));
            if
            :: history == 1 ->
                signed_1 = true; opened_1 = opened_1 || what == open; voided_1 = voided_1 || what == call_off
            :: else ->
                signed_2 = true; opened_2 = opened_2 || what == open; voided_2 = voided_2 || what == call_off
            fi
        }
#ifdef COPY_LATE
        MAY_BE_KILLED;
        copy = counter;
#endif

killed: skip;
        d_step {
            if :: turn == _pid + 1 -> turn = 0 :: else fi;
            history = 0; what = 0; may = false;
            at_work--
        }
    od
}

active proctype adversary()
{
    byte restores;
    bool backed_up;
    bool memory;          /* what it puts back: the memory alone, or the folder alone; once and for all */
    if :: memory = true :: memory = false fi;

    do
    :: !over_1 -> over_1 = true
    :: !over_2 -> over_2 = true
    :: atomic { turn == 0 && !backed_up ->
            backed_up = true;
            old_head = head; old_opened = opened; old_voided = voided; old_counter = counter; old_copy = copy }
#ifdef RESTORE_BOTH       /* the whole machine: no process goes on */
    :: atomic { at_work == 0 && restores < RESTORES ->
#else
    :: atomic { turn == 0 && restores < RESTORES ->
#endif
            restores++;         /* without a backup it is put back to its empty beginning */
            if
#ifdef RESTORE_BOTH
            :: copy = old_copy;
#else
            :: !memory -> copy = old_copy
            :: memory ->
#endif
                head = old_head; opened = old_opened; voided = old_voided; counter = old_counter
            fi }
    :: true -> break
    od
}
