/**
 * The German of what the verifier says besides, of events and on its own page: made by `python -m tests.make.words` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const GERMAN = {
  'A judge ruled about it: read the notices.': 'Ein Schiedsrichter hat darüber entschieden: Lies die Hinweise.',
  'A name is anybody’s. Compare each key with the one that its owner gave you.':
    'Ein Name gehört jedem. Vergleiche jeden Schlüssel mit dem, den dir sein Besitzer gegeben hat.',
  'A policy is for a log or a proof: choose that too.': 'Eine Richtlinie gilt einem Protokoll oder Beweis: Wähle das auch.',
  'A proof of a roll that does not hold shows nothing.': 'Der Beweis eines Wurfs, der nicht stimmt, zeigt nichts.',
  'A proof of one event is checked with its log, or with what you know: the id of the game, the keeper’s key and the number of the event. Type them, one a line.':
    'Ein Beweis eines Ereignisses wird mit seinem Protokoll geprüft, oder mit dem, was du weißt: der Kennung des Spiels, dem Schlüssel des Protokollführers und der Nummer des Ereignisses. Tippe sie, eins je Zeile.',
  'A receipt is compared with a log: choose the log too.': 'Eine Quittung wird mit einem Protokoll verglichen: Wähle auch das Protokoll.',
  'A ruling of {judge} about this roll: {ruling}. {text}': 'Eine Entscheidung von {judge} über diesen Wurf: {ruling}. {text}',
  'A show of a secret roll is checked against a log: choose the log too.':
    'Was einen geheimen Wurf zeigt, wird gegen ein Protokoll geprüft: Wähle auch das Protokoll.',
  'A slip has a reason just where a judge or organizer writes it.':
    'Ein Ergebniszettel hat genau dort einen Grund, wo ein Schiedsrichter oder Veranstalter ihn schreibt.',
  'A slip of table {table} has {count} sides, each with: {names}.': 'Ein Ergebniszettel von Tisch {table} hat {count} Seiten, jede mit: {names}.',
  'An event log begins with its only open; this is line {seq}.':
    'Ein Veranstaltungsprotokoll beginnt mit seinem einzigen open; dies ist Zeile {seq}.',
  'An event log has at most {most} lines.': 'Ein Veranstaltungsprotokoll hat höchstens {most} Zeilen.',
  'An opening is checked against a log: choose the log too.': 'Eine Offenlegung wird an einem Protokoll geprüft: Wähle auch das Protokoll.',
  'Both statements are about the same event {index}: they do not contradict each other.':
    'Beide Aussagen handeln vom selben Ereignis {index}: Sie widersprechen sich in nichts.',
  'Both statements: each leads by hashes to a signature that {accused} made.':
    'Beide Aussagen: Jede führt über Hashes zu einer Unterschrift von {accused}.',
  'By hand': 'Von Hand',
  'Bytes follow the last file of the bundle.': 'Nach der letzten Datei des Bündels folgen Bytes.',
  'COULD NOT BE FINISHED: whether it holds is not known': 'NICHT ZU ENDE GEKOMMEN: Ob es stimmt, ist nicht bekannt',
  'COULD NOT BE READ as a bundle': 'NICHT ALS BÜNDEL LESBAR',
  'COULD NOT BE READ as a log': 'NICHT ALS PROTOKOLL LESBAR',
  Checked: 'Geprüft',
  'Choose a file': 'Datei wählen',
  Event: 'Veranstaltung',
  'Event 0 of table {table} in round {round} is not what the event says: {member} differs.':
    'Ereignis 0 von Tisch {table} in Runde {round} ist nicht, was die Veranstaltung sagt: {member} weicht ab.',
  'Event 0, which fixes the game and the key of {accused}.': 'Ereignis 0, das das Spiel und den Schlüssel von {accused} festlegt.',
  'Event 0, which fixes the game and the keys; that {keeper} signed that these lines stand in it.':
    'Ereignis 0, das Spiel und Schlüssel festlegt; dass {keeper} unterschrieben hat, dass diese Zeilen darin stehen.',
  "Event {event} of table {table} in round {round} has an act of {by} that the event's log does not have, or not since the table was opened.":
    'Ereignis {event} von Tisch {table} in Runde {round} enthält eine Handlung von {by}, die im Protokoll der Veranstaltung nicht steht, oder nicht seit der Eröffnung des Tisches.',
  'Event {index} is a secret roll, of which this is no proof.': 'Ereignis {index} ist ein geheimer Wurf, den dies nicht beweist.',
  'Event {index} says that {author} signed it, but {author} did not.':
    'Ereignis {index} wurde nicht von {author} unterschrieben, von dem es nach eigener Angabe ist.',
  'Every line was signed by who it says, and nothing was changed. Dice of tables are not in it.':
    'Jede Zeile hat unterschrieben, wer darin steht, und nichts wurde geändert. Würfel von Tischen stehen nicht darin.',
  'Evidence that does not hold shows nothing about anybody.': 'Beweise, die nicht stimmen, zeigen über niemanden etwas.',
  'FAILS (something is wrong) at event {seq} of {events}; the events before it hold':
    'STIMMT NICHT (etwas ist falsch) bei Ereignis {seq} von {events}; die Ereignisse davor stimmen',
  'FAILS (something is wrong): its {events} events hold, but not with what was given beside them':
    'STIMMT NICHT (etwas ist falsch): Seine {events} Ereignisse stimmen, aber nicht mit dem, was dazu gegeben wurde',
  'FAILS (something is wrong): the event’s log holds, and not all that lies with it':
    'STIMMT NICHT (etwas ist falsch): Das Protokoll der Veranstaltung stimmt, aber nicht alles, was dabei liegt',
  'Fair: nobody could choose or predict it unless ALL of {names} worked together.':
    'Fair: Niemand konnte ihn wählen oder vorhersagen, außer ALLE von {names} machten gemeinsame Sache.',
  File: 'Datei',
  'Findings and notices': 'Befunde und Hinweise',
  Game: 'Spiel',
  'Game {game} is sealed already, with as many events or more.': 'Spiel {game} ist schon besiegelt, mit ebenso vielen Ereignissen oder mehr.',
  'Game {game} is that of another table.': 'Spiel {game} ist das eines anderen Tischs.',
  'Game {game} was not opened for table {table} of round {round}.': 'Spiel {game} wurde nicht für Tisch {table} von Runde {round} eröffnet.',
  'Games of tables that went on after their round had ended: {count}.': 'Spiele von Tischen, die nach dem Ende ihrer Runde weitergingen: {count}.',
  'Games of tables that were cancelled, which are in the bundle too: {count}.': 'Spiele abgesagter Tische, die auch im Bündel sind: {count}.',
  'Games of tables that were not closed: {count}.': 'Spiele von Tischen, die nicht beendet wurden: {count}.',
  'Games of tables whose length was never sealed: {count}.': 'Spiele von Tischen, deren Länge nie besiegelt wurde: {count}.',
  'Games of tables, each by itself and with the event: {count}.': 'Spiele von Tischen, jedes für sich und mit der Veranstaltung: {count}.',
  'Give this page the log of a game. It checks every signature, every link and every die, on this device: nothing is sent anywhere.':
    'Gib dieser Seite das Protokoll eines Spiels. Sie prüft jede Unterschrift, jedes Glied und jeden Würfel, auf diesem Gerät: Nichts wird irgendwohin geschickt.',
  'HOLDS, {events}': 'STIMMT, {events}',
  'HOLDS: {keeper} signed that this is event {seq} of game {game}, among {size}:':
    'STIMMT: {keeper} hat unterschrieben, dass dies Ereignis {seq} von Spiel {game} ist, unter {size}:',
  'It cannot be written for round {round} as that stands.': 'Es kann nicht für Runde {round} geschrieben werden, so wie sie steht.',
  'It could not be finished: {text}': 'Es kam nicht zu Ende: {text}',
  'It does not show the dice of event {index}, by {keeper}.': 'Es zeigt nicht die Würfel von Ereignis {index}, von {keeper}.',
  'It does not show what {author} committed to before the roll.': 'Es zeigt nicht, was {author} vor dem Wurf festgelegt hat.',
  'It is a second program, written from the specification alone, that shares nothing with rollproof verify. It does not know the rules of the games: rollproof verify says whether an event was allowed and what the dice mean.':
    'Es ist ein zweites Programm, allein nach der Spezifikation geschrieben, das mit rollproof verify nichts teilt. Es kennt die Spielregeln nicht: Ob ein Ereignis erlaubt war und was die Würfel bedeuten, sagt rollproof verify.',
  'It is not about one roll: it has {count} requests for dice.': 'Es handelt nicht von einem Wurf: Es hat {count} Anfragen nach Würfeln.',
  'It shows nothing about anybody.': 'Es zeigt über niemanden etwas.',
  'It was for: {text}': 'Er war für: {text}',
  'Its admit does not show that the keeper let {accused} into this game.':
    'Sein admit zeigt nicht, dass der Protokollführer {accused} in dieses Spiel gelassen hat.',
  'Its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it.':
    'Sein Checkpoint hat keine gültige Unterschrift von {keeper}, dem Protokollführer: Jeder kann ihn geschrieben haben.',
  'Its checkpoint is of another game than its event 0.': 'Sein Checkpoint gehört zu einem anderen Spiel als sein Ereignis 0.',
  'Its dice follow from secrets that were fixed before the roll. It is one roll of a game, which somebody chose to show.':
    'Seine Würfel folgen aus Geheimnissen, die vor dem Wurf festgelegt waren. Es ist ein Wurf eines Spiels, den jemand zum Zeigen ausgesucht hat.',
  'Its event 0 does not hold, so it shows nothing: {problem}': 'Sein Ereignis 0 stimmt nicht, also zeigt es nichts: {problem}',
  'Its events hold. It lacks what the policy asks for.': 'Seine Ereignisse stimmen. Was die Richtlinie verlangt, fehlt.',
  'Its events hold. Whether the policy is met cannot be checked here.':
    'Seine Ereignisse stimmen. Ob die Richtlinie erfüllt ist, lässt sich hier nicht prüfen.',
  'Judges and keys that tables took in after the event had ended them: {count}.':
    'Schiedsrichter und Schlüssel, die Tische aufnahmen, nachdem das Event sie beendet hatte: {count}.',
  Keys: 'Schlüssel',
  'Keys of players that an organizer replaced: {count}.': 'Schlüssel von Spielern, die ein Veranstalter ersetzt hat: {count}.',
  'Licences of what is in this page': 'Lizenzen dessen, was in dieser Seite steckt',
  'Line {line} does not open table {table}, or its game was named before.':
    'Zeile {line} eröffnet Tisch {table} nicht, oder sein Spiel wurde schon genannt.',
  'Line {line} is no answer that can be appealed.': 'Zeile {line} ist keine Antwort, gegen die Einspruch möglich ist.',
  'Line {line} is no call that waits for an answer.': 'Zeile {line} ist kein Ruf, der auf eine Antwort wartet.',
  'Line {line} is no penalty that stands.': 'Zeile {line} ist keine Strafe, die gilt.',
  'Line {line} is no slip of a table of this event.': 'Zeile {line} ist kein Ergebniszettel eines Tischs dieser Veranstaltung.',
  'Lines that begin with $ are for a shell with openssl 3, xxd and sed. Their output ends with the line below.':
    'Was mit $ beginnt, ist für eine Shell mit openssl 3, xxd und sed; es endet mit dem, was darunter steht.',
  'Match results that staff set: {count}.': 'Matchergebnisse, die das Personal gesetzt hat: {count}.',
  'Match results, penalties and drops that were corrected: {count}.': 'Matchergebnisse, Strafen und Ausstiege, die berichtigt wurden: {count}.',
  'Naturals are what the dice showed, before the rules of the game. Open a roll to see why it was fair, and to redo it by hand.':
    'Würfelergebnisse sind, was die Würfel zeigten, vor den Regeln des Spiels. Öffne einen Wurf, um zu sehen, warum er fair war, und um ihn von Hand nachzurechnen.',
  'No dice yet: it waits for the openings of {others}, and then for {keeper} to reveal it.':
    'Noch keine Würfel: wartet auf die Offenlegungen von {others}, und dann darauf, dass {keeper} sie zeigt.',
  'No dice: {by} called it off in event {end}.': 'Keine Würfel: {by} hat ihn in Ereignis {end} abgebrochen.',
  'No dice: {by}, who had opened for it already, called it off in event {end}.':
    'Keine Würfel: {by} hatte dafür schon offengelegt und hat ihn in Ereignis {end} abgebrochen.',
  'Nobody can be appointed with this key: {problem}.': 'Mit diesem Schlüssel kann niemand ernannt werden: {problem}.',
  'Nobody in this evidence has the key {key}.': 'Niemand in diesen Beweisen hat den Schlüssel {key}.',
  'Nobody in this game has the key {key}.': 'Niemand in diesem Spiel hat den Schlüssel {key}.',
  'Not checked': 'Nicht geprüft',
  'Not shown to be fair: event {seq}, which should end it, does not hold.':
    'Nicht als fair gezeigt: Ereignis {seq}, das ihn beenden sollte, stimmt nicht.',
  'Nothing in it was changed, and its dice follow from secrets that were fixed before each roll.':
    'Nichts darin wurde geändert, und seine Würfel folgen aus Geheimnissen, die vor jedem Wurf festgelegt waren.',
  'Nothing in it was changed. It shows no dice.': 'Nichts darin wurde geändert. Es zeigt keine Würfel.',
  'Nothing in this file could be judged.': 'Nichts in dieser Datei ließ sich beurteilen.',
  'Nothing was verified, because the policy cannot be used: {problem}': 'Nichts wurde geprüft, weil die Richtlinie unbrauchbar ist: {problem}',
  'One log at a time: {name} is verified, the others are left out.': 'Ein Protokoll auf einmal: {name} wird geprüft, die anderen bleiben weg.',
  'One roll': 'Ein Wurf',
  'Penalties that stand: {count}.': 'Strafen, die gelten: {count}.',
  'Player {number} cannot be paired: not checked in, or dropped.': 'Spieler {number} kann nicht gepaart werden: nicht eingecheckt oder ausgestiegen.',
  "Player {number} cannot have this key: it has another name than p{number}, or is somebody's.":
    'Spieler {number} kann diesen Schlüssel nicht haben: Er hat einen anderen Namen als p{number} oder gehört jemandem.',
  'Player {number} cannot have this key: {problem}.': 'Spieler {number} kann diesen Schlüssel nicht haben: {problem}.',
  'Player {number} has dropped.': 'Spieler {number} ist ausgestiegen.',
  'Player {number} has not dropped.': 'Spieler {number} ist nicht ausgestiegen.',
  'Player {number} is checked in already.': 'Spieler {number} ist schon eingecheckt.',
  'Player {number} is not checked in.': 'Spieler {number} ist nicht eingecheckt.',
  'Player {number} is not registered.': 'Spieler {number} ist nicht angemeldet.',
  "Player {number} is registered already, or has somebody else's claim code.":
    'Spieler {number} ist schon angemeldet oder hat den Anmeldecode eines anderen.',
  'Player {number} stands in the round twice.': 'Spieler {number} steht zweimal in der Runde.',
  'Player {number} was not registered with the name that the names file has.':
    'Spieler {number} wurde nicht mit dem Namen angemeldet, den die Namensdatei hat.',
  Players: 'Spieler',
  'Players stand here by their numbers. Names are not in the record.': 'Spieler stehen hier mit ihren Nummern. Namen stehen nicht im Protokoll.',
  "Players who were checked in on a device of staff's: {count}.": 'Spieler, die an einem Gerät des Personals eingecheckt wurden: {count}.',
  'Players whom staff checked in, without a claim code: {count}.': 'Spieler, die das Personal ohne Anmeldecode eingecheckt hat: {count}.',
  'Players: {registered} registered, {in} in, {dropped} dropped.': 'Spieler: {registered} angemeldet, {in} eingecheckt, {dropped} ausgestiegen.',
  'Proofs and openings': 'Beweise und Offenlegungen',
  Result: 'Ergebnis',
  'Rolls ({count})': 'Würfe ({count})',
  'Rolls and parties that judges and others changed at tables: {count}.':
    'Würfe und Beteiligte, die Schiedsrichter und andere an Tischen änderten: {count}.',
  'Rolls were called off, left without dice, ruled void or corrected: read the notices.':
    'Würfe wurden abgebrochen, blieben ohne Würfel, wurden für ungültig erklärt oder berichtigt: Lies die Hinweise.',
  'Round {round}': 'Runde {round}',
  'Round {round} cannot be paired now: the next one is round {due}, when no round runs.':
    'Runde {round} kann jetzt nicht gepaart werden: Die nächste ist Runde {due}, wenn keine Runde läuft.',
  'Round {round} cannot start: it is not the one that is being paired, or has no table.':
    'Runde {round} kann nicht starten: Sie wird nicht gerade gepaart, oder hat keinen Tisch.',
  'Round {round} has no table {table}.': 'Runde {round} hat keinen Tisch {table}.',
  'Round {round} has not ended: the event cannot close.': 'Runde {round} ist nicht zu Ende: Die Veranstaltung kann nicht schließen.',
  'Rules: whether every event of the games was allowed, and what the dice mean. {command} checks them.':
    'Regeln: Ob jedes Ereignis der Spiele erlaubt war, und was die Würfel bedeuten. {command} prüft sie.',
  'Show {count} more of {left}': '{count} weitere von {left} zeigen',
  'Signatures, chain and dice are checked by a second program, written from the specification alone, that shares nothing with rollproof verify. The rules are checked by the same Python as by rollproof verify: about the rules it is no second opinion.':
    'Unterschriften, Kette und Würfel prüft ein zweites Programm, allein nach der Spezifikation geschrieben, das mit rollproof verify nichts teilt. Die Regeln prüft dasselbe Python wie bei rollproof verify: Bei den Regeln ist es keine zweite Meinung.',
  'Size and root of the log': 'Größe und Wurzel des Protokolls',
  'Size and root of what holds': 'Größe und Wurzel dessen, was stimmt',
  'Something in this file is not as it was signed. No signature shows who made the flaw: anybody who had the file can have made it.':
    'Etwas in dieser Datei ist nicht so, wie es unterschrieben wurde. Kein Schlüssel steht für den Fehler: Jeder, der die Datei hatte, kann ihn gemacht haben.',
  'Statement {number} does not hold, so there is no evidence.': 'Aussage {number} stimmt nicht, also gibt es keinen Beweis.',
  'Step 6: the rules': 'Schritt 6: die Regeln',
  Stop: 'Anhalten',
  Table: 'Tisch',
  'Table {table} cannot be cancelled: it is not in the round, or stands there twice.':
    'Tisch {table} kann nicht abgesagt werden: Er ist nicht in der Runde oder steht zweimal darin.',
  'Table {table} has a match result that stands.': 'Tisch {table} hat ein gültiges Matchergebnis.',
  'Table {table} has more than {most} players.': 'Tisch {table} hat mehr als {most} Spieler.',
  'Table {table} has no match result that could be corrected.': 'Tisch {table} hat kein Matchergebnis, das berichtigt werden könnte.',
  'Table {table} is left twice.': 'Tisch {table} wird zweimal offen gelassen.',
  'Table {table} must have a match result or be left with a reason, and not both.':
    'Tisch {table} muss ein Matchergebnis haben oder mit Grund offen bleiben, und nicht beides.',
  'Table {table} stands in the round twice.': 'Tisch {table} steht zweimal in der Runde.',
  'Tables at which dice were thrown by hand, without proof: {count}.': 'Tische, an denen von Hand gewürfelt wurde, ohne Beweis: {count}.',
  'Tables of ended rounds with a slip that not all sides signed: {count}.':
    'Tische beendeter Runden mit einem Ergebniszettel, den nicht alle Seiten unterschrieben haben: {count}.',
  'Tables that were cancelled or changed after their round had started: {count}.':
    'Tische, die nach dem Start ihrer Runde abgesagt oder geändert wurden: {count}.',
  'Tables that were left without a match result when their round ended: {count}.':
    'Tische, die beim Ende ihrer Runde ohne Matchergebnis blieben: {count}.',
  "That this roll took these links of their chains, and its number, is {keeper}'s word: the log shows it.":
    'Dass dieser Wurf diese Glieder ihrer Ketten nahm, und seine Nummer, ist das Wort von {keeper}: Das Protokoll zeigt es.',
  'The claim code of player {number} did not sign this key.': 'Der Anmeldecode von Spieler {number} hat diesen Schlüssel nicht unterschrieben.',
  'The dice that it shows are not those of event {index}.': 'Die Würfel, die es zeigt, sind nicht die von Ereignis {index}.',
  'The dice were fair; a judge put another result in their place.':
    'Die Würfel waren fair; ein Schiedsrichter hat ein anderes Ergebnis an ihre Stelle gesetzt.',
  'The dice were fair; a judge ruled the roll void.': 'Die Würfel waren fair; ein Schiedsrichter hat den Wurf für ungültig erklärt.',
  'The dice were fair; somebody agreed to take the roll back: read the notices.':
    'Die Würfel waren fair; jemand hat zugestimmt, den Wurf zurückzunehmen: Lies die Hinweise.',
  'The dice were fair; {names} took the roll back.': 'Die Würfel waren fair; {names} haben den Wurf zurückgenommen.',
  'The dice, which follow from these links: {dice}.': 'Die Würfel, die aus diesen Gliedern folgen: {dice}.',
  'The event': 'Die Veranstaltung',
  'The event and the games of its tables are as they were signed, and their dice follow from secrets that were fixed before each roll.':
    'Die Veranstaltung und die Spiele ihrer Tische sind so, wie sie unterschrieben wurden, und die Würfel folgen aus Geheimnissen, die vor jedem Wurf feststanden.',
  'The event is closed: nothing follows.': 'Die Veranstaltung ist geschlossen: Nichts folgt.',
  'The event is not closed: more may follow, or its end is missing.':
    'Die Veranstaltung ist nicht geschlossen: Es folgt vielleicht mehr, oder ihr Ende fehlt.',
  "The event's terms are not valid: {problem}.": 'Die Bedingungen der Veranstaltung sind ungültig: {problem}.',
  'The fault is with the key of {fault}, which signed this or signed over it.':
    'Der Fehler liegt beim Schlüssel von {fault}, der dies unterschrieben oder gegengezeichnet hat.',
  'The file is no event log: its first line opens no event.':
    'Die Datei ist kein Veranstaltungsprotokoll: Ihre erste Zeile eröffnet keine Veranstaltung.',
  'The file that was saved at the table (*.jsonl), or that of an event (*.bundle). If more files came with it, choose them all.':
    'Die Datei, die am Tisch gesichert wurde (*.jsonl), oder die einer Veranstaltung (*.bundle). Kamen mehrere Dateien mit, wähle sie alle.',
  'The game of table {table} in round {round} is not in the bundle.': 'Das Spiel von Tisch {table} in Runde {round} ist nicht im Bündel.',
  "The keeper's signature on each line, the chain, each act's own signature, and rules E1 to E32.":
    'Die Unterschrift des Protokollführers auf jeder Zeile, die Kette, die eigene Unterschrift jeder Handlung, und die Regeln E1 bis E32.',
  'The line that it gives for event {index} is no event: {problem}': 'Die Zeile, die es für Ereignis {index} angibt, ist kein Ereignis: {problem}',
  'The line that it gives for event {index} is not in what {keeper} signed.':
    'Die Zeile, die es für Ereignis {index} angibt, ist nicht in dem, was {keeper} unterschrieben hat.',
  'The line that it gives for event {index} is not that event of this game.':
    'Die Zeile, die es für Ereignis {index} angibt, ist nicht dieses Ereignis dieses Spiels.',
  'The links give other dice than it shows.': 'Die Glieder ergeben andere Würfel, als es zeigt.',
  'The log of table {table} in round {round} does not hold ({code}): {problem}':
    'Das Protokoll von Tisch {table} in Runde {round} stimmt nicht ({code}): {problem}',
  'The log of table {table} in round {round} has other events than {keeper} sealed.':
    'Das Protokoll von Tisch {table} in Runde {round} hat andere Ereignisse, als {keeper} besiegelt hat.',
  'The log of table {table} in round {round} is cut: {size} events were sealed.':
    'Das Protokoll von Tisch {table} in Runde {round} ist abgeschnitten: {size} Ereignisse wurden besiegelt.',
  'The names file cannot be used.': 'Die Namensdatei ist unbrauchbar.',
  'The names file is that of another event.': 'Die Namensdatei ist die einer anderen Veranstaltung.',
  'The names file: its names are those that were registered.': 'Die Namensdatei: Ihre Namen sind die angemeldeten.',
  'The openings of its dice are not those of parties who have a part in them: {names}.':
    'Die Offenlegungen seiner Würfel sind nicht die von Beteiligten, die daran teilhaben: {names}.',
  'The person who gave you this page could have changed it. Make it yourself with rollproof verify-page, and compare.':
    'Wer dir diese Seite gibt, könnte sie geändert haben. Mach sie dir selbst mit rollproof verify-page, und vergleiche.',
  'The request, signed by {author}; the openings of {names} for this very roll; what they had committed to.':
    'Die Anfrage, unterschrieben von {author}; die Offenlegungen von {names} für genau diesen Wurf; was sie festgelegt hatten.',
  'The rules of the game are being checked…': 'Die Spielregeln werden geprüft …',
  'The rules of the game could not be checked here. {why} {command} checks them.':
    'Die Spielregeln ließen sich hier nicht prüfen. {why} {command} prüft sie.',
  'The rules of the game were checked too, by the same program as {command}.':
    'Auch die Spielregeln wurden geprüft, vom selben Programm wie {command}.',
  'The rules of the game were not checked: {command} does that.': 'Die Spielregeln wurden nicht geprüft: Das tut {command}.',
  "The signature of this act is not {by}'s: it is not what {by} signed.":
    'Die Unterschrift dieser Handlung ist nicht die von {by}: Es ist nicht, was {by} unterschrieben hat.',
  'The state of the game': 'Der Stand des Spiels',
  "The tables' dice: they are in their own logs, which a bundle has.": 'Die Würfel der Tische: Sie stehen in deren Protokollen, die ein Bündel hat.',
  'This act of {by} stands in the log already.': 'Diese Handlung von {by} steht schon im Protokoll.',
  'This browser gives the page no WebCrypto here. Save the page and open it from disk, or over https.':
    'Dieser Browser gibt der Seite hier kein WebCrypto. Speichere die Seite und öffne sie von der Platte, oder öffne sie über https.',
  'This is no bundle of an event: {problem}.': 'Das ist kein Bündel einer Veranstaltung: {problem}.',
  'This is no evidence file.': 'Das ist keine Beweisdatei.',
  'This is no proof of one roll.': 'Das ist kein Beweis eines Wurfs.',
  'This is no verifier key and no id of a game: {text}': 'Das ist kein Prüfschlüssel und keine Kennung eines Spiels: {text}',
  'This link has no proof of a roll in it that could be read: it was cut, or changed.':
    'In diesem Link ist kein lesbarer Beweis eines Wurfs: Er wurde abgeschnitten oder verändert.',
  Title: 'Titel',
  'To check it apart from this server, save the proof, and give it to rollproof verify:':
    'Um ihn unabhängig von diesem Server zu prüfen, speichere den Beweis und gib ihn rollproof verify:',
  'To the file': 'Zur Datei',
  Trust: 'Vertrauen',
  'Two programs have judged this log, and they differ: one of them has a flaw. Trust neither, and tell its makers. The other one says: {verdict}.':
    'Zwei Programme haben dieses Protokoll beurteilt, und sie weichen ab: Eines hat einen Fehler. Traue keinem, und sag es ihren Machern. Das andere sagt: {verdict}.',
  'Verifier keys that players gave you, the id of the game, and of a proof the number of its event: one a line':
    'Prüfschlüssel, die dir Spieler gegeben haben, die Kennung des Spiels, und bei einem Beweis die Nummer seines Ereignisses: eins je Zeile',
  'Verify a Rollproof log': 'Ein Rollproof-Protokoll prüfen',
  'Verify again': 'Noch einmal prüfen',
  'Verifying {name}…': '{name} wird geprüft …',
  'Were the dice fair?': 'Waren die Würfel fair?',
  'What else this page reads with them: evidence of a fork, receipts of the keeper (*.checkpoint), a policy of witnesses (*.policy), proofs of one event (*.tlog-proof), openings.':
    'Was diese Seite dazu noch liest: Beweise einer Spaltung, Quittungen des Protokollführers (*.checkpoint), eine Richtlinie für Zeugen (*.policy), Beweise eines Ereignisses (*.tlog-proof), Offenlegungen.',
  'What judges and others changed at tables: {count}': 'Was Schiedsrichter und andere an Tischen änderten: {count}',
  'What the rules have made of the events, as data': 'Was die Regeln aus den Ereignissen gemacht haben, als Daten',
  'What this page is worth': 'Was diese Seite wert ist',
  'What you know already': 'Was du schon weißt',
  'Whether the options are such as the rules of {system} have: {command} checks that.':
    'Ob die Einstellungen solche sind, wie sie die Regeln von {system} haben: Das prüft {command}.',
  'Whether the rest of the game holds, and what was ruled about it after event {last}: ask for the log.':
    'Ob der Rest des Spiels stimmt, und was nach Ereignis {last} darüber entschieden wurde: Frag nach dem Protokoll.',
  "Whether these were the dice that the game's rules take for this request, and what they come to.":
    'Ob das die Würfel waren, die die Spielregeln für diese Anfrage nehmen, und was sie ergeben.',
  'Which history was played, and whether it was done on purpose or by a program that had lost its memory.':
    'Welche Geschichte gespielt wurde, und ob es Absicht war oder ein Programm, das sein Gedächtnis verloren hatte.',
  'Which of several rolls somebody chose to show.': 'Welchen von mehreren Würfen jemand zum Zeigen ausgesucht hat.',
  'Who is behind a number or a key, and whether what people signed is true.':
    'Wer hinter einer Nummer oder einem Schlüssel steht, und ob wahr ist, was Leute unterschrieben haben.',
  'Who starts round {round} had not seen its last pairings, which are in line {line}.':
    'Wer Runde {round} startet, hatte ihre letzten Paarungen in Zeile {line} nicht gesehen.',
  'Whose key it is: compare it with the one that {accused} gave you, or verify with that one.':
    'Wessen Schlüssel es ist: Vergleiche ihn mit dem, den {accused} dir gegeben hat, oder prüfe mit jenem.',
  'Whose keys these are: a stranger can play a game with himself under any names.':
    'Wessen Schlüssel das sind: Ein Fremder kann unter beliebigen Namen ein Spiel mit sich selbst spielen.',
  'a show says what its roll was for, with the salt, if the roll hid this, and only then':
    'ein show sagt mit seinem Salt, wofür ein Wurf war, der das verbarg, und bei keinem anderen',
  actual: 'tatsächlich',
  'and {count} more': 'und {count} weitere',
  'being paired': 'wird gepaart',
  'byes: {numbers}': 'Freilose: {numbers}',
  'called off the roll of event {roll} before its dice were shown': 'hat den Wurf von Ereignis {roll} abgebrochen, bevor seine Würfel zu sehen waren',
  'called off the roll of event {roll} before its dice were shown, and named as missing: {missing}':
    'hat den Wurf von Ereignis {roll} abgebrochen, bevor seine Würfel zu sehen waren; als fehlend genannt: {missing}',
  'checked: the cosignatures that the policy asks for are there.': 'geprüft: Die Gegenzeichnungen, die die Richtlinie verlangt, sind da.',
  'checked: {author} signed the event itself.': 'geprüft: {author} hat das Ereignis selbst unterschrieben.',
  clause: 'Regel',
  conceded: 'aufgegeben',
  'dice by hand: {text}': 'von Hand gewürfelt: {text}',
  'die {die}: {result}': 'Würfel {die}: {result}',
  'does not hold': 'stimmt nicht',
  drawn: 'unentschieden',
  ended: 'zu Ende',
  error: 'Fehler',
  'event {seq}': 'Ereignis {seq}',
  expected: 'erwartet',
  fault: 'Verantwortlich',
  'gave {party} a new key: {party} may be somebody else now': 'hat {party} einen neuen Schlüssel gegeben: {party} kann jetzt jemand anderes sein',
  'goes on under a new key, by the recovery key': 'macht mit einem neuen Schlüssel weiter, durch den Wiederherstellungsschlüssel',
  'holds, {events}': 'stimmt, {events}',
  "it has another format, '{format}'": 'es hat ein anderes Format, „{format}“',
  'it is not of a secret roll of this log': 'es gehört zu keinem geheimen Wurf dieses Protokolls',
  'its body has another form': 'sein Inhalt hat eine andere Form',
  'its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it':
    'sein Checkpoint hat keine gültige Unterschrift von {keeper}, dem Protokollführer: Jeder kann ihn geschrieben haben',
  'its checkpoint is for {actual} events, not for {expected}': 'sein Checkpoint ist für {actual} Ereignisse, nicht für {expected}',
  'its dice are not known: no link of it, or not all': 'seine Würfel sind nicht bekannt: kein Glied davon, oder nicht alle',
  'its first line is no manifest': 'seine erste Zeile ist kein Manifest',
  'its secret is not the one that {holder} sealed for this roll': 'sein Geheimnis ist nicht das, das {holder} für diesen Wurf besiegelt hat',
  'left: {text}': 'offen gelassen: {text}',
  'not checked: that the rest of the game holds; that takes the log.': 'nicht geprüft: dass der Rest des Spiels stimmt; das braucht das Protokoll.',
  'not checked: that {author} signed it; that takes the key of {author}.':
    'nicht geprüft: dass {author} es unterschrieben hat; das braucht den Schlüssel von {author}.',
  notice: 'Hinweis',
  'notice {code}: {message}': 'Hinweis {code}: {message}',
  'or drop it here': 'oder leg sie hier ab',
  "p and a number is a player's name": 'p und eine Zahl ist der Name eines Spielers',
  'paused for {minutes} minutes': '{minutes} Minuten Pause',
  points: 'Punkte',
  'round {round}, table {table}, event {event}, {by}: {what}': 'Runde {round}, Tisch {table}, Ereignis {event}, {by}: {what}',
  'ruled the roll of event {roll} void. Why: {text}': 'hat den Wurf von Ereignis {roll} für ungültig erklärt. Warum: {text}',
  'ruled void what was declared in event {declared}. Why: {text}':
    'hat für ungültig erklärt, was in Ereignis {declared} angesagt wurde. Warum: {text}',
  running: 'läuft',
  'set by {name}': 'gesetzt von {name}',
  'set results of the roll of event {roll}: {results}. Why: {text}':
    'hat Ergebnisse des Wurfs von Ereignis {roll} festgesetzt: {results}. Warum: {text}',
  'signed {party} away': 'hat {party} abwesend gemeldet',
  "the event's line is too long: at most {most} bytes": 'die Zeile des Ereignisses ist zu lang: höchstens {most} Bytes',
  "the event's signature is not that of the {author} whose key was given":
    'die Unterschrift des Ereignisses ist nicht die von {author} mit dem gegebenen Schlüssel',
  'the evidence DOES NOT HOLD': 'die Beweise STIMMEN NICHT',
  'the evidence HOLDS (it is proof)': 'die Beweise STIMMEN (sie überführen)',
  'the keeper writes it, and the first organizer signs it': 'der Protokollführer schreibt es, und der erste Veranstalter unterschreibt es',
  'the line calls itself event {seq} of game {game}: the keeper put it where it does not belong':
    'die Zeile nennt sich Ereignis {seq} von Spiel {game}: Der Protokollführer hat sie dorthin gesetzt, wohin sie nicht gehört',
  'the policy asks for more cosignatures; missing: {names}': 'die Richtlinie verlangt mehr Gegenzeichnungen; es fehlen: {names}',
  'the proof carries another event than the line that was given': 'der Beweis trägt ein anderes Ereignis als die gegebene Zeile',
  "the proof has no event in it: give the event's line beside it": 'der Beweis hat kein Ereignis in sich: Gib die Zeile des Ereignisses dazu',
  'the proof is about another game, {actual}': 'der Beweis handelt von einem anderen Spiel, {actual}',
  'the proof is about event {actual} of {size}, not about event {expected}':
    'der Beweis handelt von Ereignis {actual} von {size}, nicht von Ereignis {expected}',
  'the proof of a roll DOES NOT HOLD (it shows nothing)': 'der Beweis eines Wurfs STIMMT NICHT (er zeigt nichts)',
  'the proof of a roll HOLDS': 'der Beweis eines Wurfs STIMMT',
  'the purpose that it gives for the roll is not the one that the request hid': 'wofür der Wurf laut ihm war, ist nicht das, wofür die Anfrage steht',
  'this is no proof of one event (specs/checkpoints.md)': 'das ist kein Beweis eines Ereignisses (specs/checkpoints.md)',
  'this line is not event {index} of what {keeper} signed': 'diese Zeile ist nicht Ereignis {index} dessen, was {keeper} unterschrieben hat',
  'took back the roll of event {roll} after its dice were shown':
    'haben den Wurf von Ereignis {roll} zurückgenommen, nachdem seine Würfel zu sehen waren',
  'took {party} out of the game': 'hat {party} aus dem Spiel genommen',
  'two of keeper and organizers share a name or a key': 'zwei von Protokollführer und Veranstaltern teilen einen Namen oder Schlüssel',
  'what a slip has of each side is sorted, each once': 'was ein Ergebniszettel von jeder Seite hat, ist sortiert, jedes einmal',
  'what it says of this roll': 'was es über diesen Wurf sagt',
  'whether the policy is met is not known: it takes ML-DSA-44 to check the cosignatures of {names}, and this browser does not have it':
    'ob die Richtlinie erfüllt ist, ist nicht bekannt: Um die Gegenzeichnungen von {names} zu prüfen, braucht es ML-DSA-44, und dieser Browser hat es nicht',
  won: 'gewonnen',
  '{accused} is no party of this game.': '{accused} ist kein Beteiligter dieses Spiels.',
  '{accused} signed two histories of game {game}: there are two events {index}, with the leaf hashes {one} and {other}, and {accused} vouched for both. No honest program signs that.':
    '{accused} hat zwei Geschichten von Spiel {game} unterschrieben: Es gibt zwei Ereignisse {index}, mit den Blatt-Hashes {one} und {other}, und {accused} hat für beide eingestanden. Kein ehrliches Programm unterschreibt das.',
  '{accused} signed two histories of game {game}: there are two of its first {index} events, with the roots {one} and {other}, and {accused} vouched for both. No honest program signs that.':
    '{accused} hat zwei Geschichten von Spiel {game} unterschrieben: Es gibt zweierlei seiner ersten {index} Ereignisse, mit den Wurzeln {one} und {other}, und {accused} hat für beide eingestanden. Kein ehrliches Programm unterschreibt das.',
  '{actual} does not keep this event: {expected} writes its lines.': '{actual} führt diese Veranstaltung nicht: {expected} schreibt ihre Zeilen.',
  '{author} did not sign this opening for this roll.': '{author} hat diese Offenlegung nicht für diesen Wurf unterschrieben.',
  '{author} opened link {index}, which no roll with this number takes.':
    '{author} hat Glied {index} offengelegt, das kein Wurf mit dieser Nummer nimmt.',
  '{by} ({role}) does not write {type}.': '{by} ({role}) schreibt kein {type}.',
  "{by} cannot agree to slip {line}: a later one took its place, or {by}'s side has signed it.":
    '{by} kann Ergebniszettel {line} nicht zustimmen: Ein späterer trat an seine Stelle, oder die Seite von {by} hat ihn unterschrieben.',
  '{by} cannot answer this appeal: a head judge or organizer does, who did not give the answer.':
    '{by} kann auf diesen Einspruch nicht antworten: Das tut ein Oberschiedsrichter oder Veranstalter, der die Antwort nicht gegeben hat.',
  '{by} does not sit at table {table}.': '{by} sitzt nicht an Tisch {table}.',
  '{by} is nobody who takes part in this event.': '{by} nimmt an dieser Veranstaltung nicht teil.',
  '{by} is not player {number}: players act for themselves.': '{by} ist nicht Spieler {number}: Spieler handeln für sich selbst.',
  '{by} signed this act upon a line that is none of the {most} before it: in another history, or long ago.':
    '{by} hat diese Handlung auf eine Zeile unterschrieben, die keine der {most} davor ist: in einer anderen Geschichte, oder vor langer Zeit.',
  '{fault} called rolls off that {fault} had opened for: read the notices.':
    '{fault} hat Würfe abgebrochen, für die {fault} offengelegt hatte: Lies die Hinweise.',
  "{file} holds: {holder}'s secret roll of event {request}: {came}": '{file} stimmt: der geheime Wurf von {holder} in Ereignis {request}: {came}',
  '{file} is not a show of a secret roll (specs/protocol.md).':
    '{file} hat nicht die Form dessen, was einen geheimen Wurf zeigt (specs/protocol.md).',
  '{judge} corrected this: {text}': '{judge} hat das berichtigt: {text}',
  '{judge} gave a penalty for this: {text}': '{judge} hat dafür eine Strafe gegeben: {text}',
  '{judge} ruled this void: {text}': '{judge} hat das für ungültig erklärt: {text}',
  '{judge} upheld this: {text}': '{judge} hat das bestätigt: {text}',
  '{keeper} is not one of the keepers that the policy accepts': '{keeper} ist keiner der Protokollführer, die die Richtlinie anerkennt',
  '{keeper} named no game for table {table} in round {round}, which has ended.':
    '{keeper} hat für Tisch {table} in Runde {round}, die zu Ende ist, kein Spiel genannt.',
  "{keeper} ordered these lines, and could leave acts out, not write or change anybody else's.":
    '{keeper} hat diese Zeilen geordnet und konnte Handlungen weglassen, aber keine fremden schreiben oder ändern.',
  '{log} does not hold, so nothing can be checked against it.': '{log} stimmt nicht, also lässt sich nichts daran prüfen.',
  '{minutes} minutes more': '{minutes} Minuten mehr',
  '{names} had no part in these dice, and the proof does not say why.':
    '{names} hatte keinen Teil an diesen Würfeln, und der Beweis sagt nicht, warum.',
  "{name} cannot be appointed: the name or the key is a player's, or was somebody's before.":
    '{name} kann nicht ernannt werden: Name oder Schlüssel ist der eines Spielers oder war schon jemandes.',
  '{name} does not stand where it may, or is too long': '{name} steht nicht, wo es darf, oder ist zu lang',
  '{name} has no office here that could end.': '{name} hat hier kein Amt, das enden könnte.',
  '{name} is not as the first line of the bundle says: the file is incomplete or damaged. Get it again.':
    '{name} ist nicht, wie es die erste Zeile des Bündels sagt: Die Datei ist unvollständig oder beschädigt. Hol sie noch einmal.',
  '{name} is the last organizer: an event has one.': '{name} ist der letzte Veranstalter: Eine Veranstaltung hat einen.',
  '{name} is the log of a game that this event did not open.': '{name} ist das Protokoll eines Spiels, das diese Veranstaltung nicht eröffnet hat.',
  '{name} signed two histories of one game. That is proof against the key of {name}.':
    '{name} hat zwei Geschichten eines Spiels unterschrieben. Das überführt den Schlüssel von {name}.',
  '{party} agreed to take this roll back: where all who played did, nothing came of it. The log shows whether they did.':
    '{party} hat zugestimmt, diesen Wurf zurückzunehmen: Haben es alle, die spielten, so gilt er nicht. Das Protokoll zeigt, ob sie es taten.',
  '{path}: COULD NOT BE FINISHED ({code}, step {step}): {message}': '{path}: NICHT ZU ENDE GEKOMMEN ({code}, Schritt {step}): {message}',
  '{path}: FAILS (something is wrong; {code}, step {step}): {message}': '{path}: STIMMT NICHT (etwas ist falsch; {code}, Schritt {step}): {message}',
};
