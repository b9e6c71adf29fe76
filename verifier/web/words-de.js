/**
 * The German of what the verifier says at a table: made by `python -m tests.make.words` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const GERMAN = {
  "'{name}' is a member of a group already": '„{name}“ gehört schon zu einer Gruppe',
  "'{word}' is not log, witness, group or quorum": '„{word}“ ist keines von log, witness, group, quorum',
  'A close has the openings of the request that waits, and no openings if none waits.':
    'Ein close hat die Offenlegungen der wartenden Anfrage, und keine, wo nichts wartet.',
  'A correction names each die once.': 'Eine Berichtigung nennt jeden Würfel einmal.',
  'A log begins with its only open; this is event {seq}.': 'Ein Protokoll beginnt mit seinem einzigen open; dies ist Ereignis {seq}.',
  'A penalty names a party; other rulings name none.': 'Eine Strafe, und nichts anderes, nennt einen Beteiligten.',
  'A reveal has one opening of each contributor, in party order.':
    'Ein reveal hat eine Offenlegung von jedem Beitragenden, in der Reihenfolge der Beteiligten.',
  'A roll waits for its dice: only its reveal or void can come now, not {type}.':
    'Ein Wurf wartet auf seine Würfel: Nur sein reveal oder void kann jetzt kommen, nicht {type}.',
  'A roll was voided, and {keeper}, the keeper, has not yet disclosed what was opened for it.':
    'Ein Wurf wurde abgebrochen, und {keeper}, der Protokollführer, hat noch nicht bekannt gemacht, was dafür offengelegt wurde.',
  'A roll was voided: {keeper} must disclose what was opened for it before {type}.':
    'Ein Wurf wurde abgebrochen: {keeper} muss vor {type} bekannt machen, was dafür offengelegt wurde.',
  'A ruling is about an earlier event; {subject} is none.': 'Eine Entscheidung gilt einem früheren Ereignis; {subject} ist keines.',
  'A secret roll of {holder}: its seed takes a secret that only {holder} knows, and so do its dice.':
    'Ein geheimer Wurf von {holder}: In seinen Seed geht ein Geheimnis ein, das nur {holder} kennt, und so in seine Würfel.',
  'A show has the naturals of a roll that was revealed, and none of one that was voided.':
    'Ein show hat die Würfelergebnisse eines gezeigten Wurfs, und keine eines abgebrochenen.',
  'A show says what its roll was for, with the salt, if the roll hid this, and only then.':
    'Ein show sagt mit seinem Salt, wofür ein Wurf war, der das verbarg, und bei keinem anderen.',
  'A void by the holder of a secret roll has its secret, and no other void has one.':
    'Ein void durch den, der den geheimen Wurf hat, enthält dessen Geheimnis, und kein anderer void.',
  'A void names contributors of its roll as missing, in party order, none twice.':
    'Ein void nennt Beitragende seines Wurfs als fehlend, in der Reihenfolge der Beteiligten, keinen zweimal.',
  'All its links are known by now. It takes the rules to know which dice the request draws: {command} says what it would have shown.':
    'Alle seine Glieder sind inzwischen bekannt. Welche Würfel die Anfrage zieht, sagen erst die Regeln; {command} sagt, was er gezeigt hätte.',
  'Anything from event {seq} on: it rests on an event that does not hold.':
    'Alles ab Ereignis {seq}: Es baut auf einem Ereignis auf, das nicht stimmt.',
  'By the terms of this game no roll is taken back, so {author} writes no {type}: a judge rules.':
    'Nach den Bedingungen dieses Spiels wird kein Wurf zurückgenommen, also schreibt {author} kein {type}: Ein Schiedsrichter entscheidet.',
  'Called off before the dice were shown: {rolls}, {each}.': 'Abgebrochen, bevor die Würfel gezeigt wurden: {rolls}, {each}.',
  'Dice ({rolls}): every opening leads to its commitment; the naturals follow from the links.':
    'Würfel ({rolls}): Jede Offenlegung führt zu ihrer Festlegung; die Würfelergebnisse folgen aus den Gliedern.',
  'Dice of {rolls}: nobody could choose or predict them unless ALL of {names} worked together.':
    'Die Würfel ({rolls}): Niemand konnte sie wählen oder vorhersagen, außer ALLE von {names} machten gemeinsame Sache.',
  'Each natural is the number mod the sides, plus 1; numbers from the limit on are passed over.':
    'Jedes Würfelergebnis ist die Zahl modulo der Seiten, plus 1; Zahlen ab der Grenze werden übergangen.',
  'Event {admit} admits nobody.': 'Ereignis {admit} lässt niemanden herein.',
  'Event {ended} voids that roll, by {author}: who opens a roll may not call it off. That is proof.':
    'Ereignis {ended} bricht diesen Wurf ab, durch {author}: Wer einen Wurf offenlegt, darf ihn nicht abbrechen. Das ist ein Beweis.',
  'Event {ended}, a {how}, and what follows it lack the opening: {receiver} kept it back. That is proof.':
    'Ereignis {ended}, ein {how}, und was darauf folgt, haben die Offenlegung nicht: {receiver} hat sie zurückgehalten. Das ist ein Beweis.',
  'Event {ended}, a {how}, ended that roll without it.': 'Ereignis {ended}, ein {how}, hat diesen Wurf ohne sie beendet.',
  'Event {ended}, by {by}, voids that roll and names {author} as missing. Ask both how it was sent.':
    'Ereignis {ended}, von {by}, bricht diesen Wurf ab und nennt {author} als fehlend. Frag beide, wie sie geschickt wurde.',
  "Event {ended}, by {by}, voids that roll; the opening stands in the keeper's disclose after it.":
    'Ereignis {ended}, von {by}, bricht diesen Wurf ab; die Offenlegung steht im disclose des Protokollführers danach.',
  'Event {expected} should stand here, but this is event {actual}: lines are missing, doubled or out of order.':
    'Hier sollte Ereignis {expected} stehen, aber dies ist Ereignis {actual}: Zeilen fehlen, sind doppelt oder vertauscht.',
  'Event {request} is no roll that {judge} called off with {author} as missing; or {author} has written something else since.':
    'Ereignis {request} ist kein Wurf, den {judge} mit {author} als fehlend abgebrochen hat; oder {author} hat seither etwas anderes geschrieben.',
  'Event {request} is no secret roll that {author} holds and has not shown.':
    'Ereignis {request} ist kein geheimer Wurf, den {author} hat und noch nicht gezeigt hat.',
  'Event {seq}, {type}, signed by {author} at {time}; its leaf hash is {leaf}.':
    'Ereignis {seq}, {type}, unterschrieben von {author} um {time}; sein Blatt-Hash ist {leaf}.',
  "Events 0 to {last}: form, order, chain, and that each was signed with its author's key.":
    'Ereignisse 0 bis {last}: Form, Reihenfolge, Kette, und dass jedes mit dem Schlüssel seines Autors unterschrieben ist.',
  'Everybody who had to consent has consented (event {seq}).': 'Alle, die zustimmen mussten, haben es getan (Ereignis {seq}).',
  'In event {ended} {receiver} nevertheless says that {author} had not opened. That is proof.':
    'In Ereignis {ended} sagt {receiver} trotzdem, dass {author} nicht offengelegt hatte. Das ist ein Beweis.',
  'In event {seq} {author} closes the game while the request waits. No dice count.':
    'In Ereignis {seq} beendet {author} das Spiel, während die Anfrage wartet. Keine Würfel zählen.',
  'In event {seq} {author} voids the request. Its links are used up, and no dice count.':
    'In Ereignis {seq} bricht {author} die Anfrage ab. Ihre Glieder sind verbraucht, und keine Würfel zählen.',
  'In this game no roll is secret, so {author} writes no {type}.': 'In diesem Spiel ist kein Wurf geheim, also schreibt {author} kein {type}.',
  'In this game no roll is secret.': 'In diesem Spiel ist kein Wurf geheim.',
  'It has no dice here: its openings are not all in this log.': 'Er hat hier keine Würfel: Seine Offenlegungen sind nicht alle in diesem Protokoll.',
  'It stands in event {ended}, a {how}.': 'Sie steht in Ereignis {ended}, einem {how}.',
  'It took longer than {seconds} seconds.': 'Es dauerte länger als {seconds} Sekunden.',
  'It was stopped.': 'Es wurde angehalten.',
  'Links and secret give other dice than the show says.': 'Glieder und Geheimnis ergeben andere Würfel, als das show sagt.',
  'Made without {name}, whom somebody else had signed away. {name} has accepted it.':
    'Ohne {name} gemacht, von jemand anderem abgemeldet. {name} hat ihn angenommen.',
  'Made without {name}, whom somebody else had signed away. {name} has not accepted it.':
    'Ohne {name} gemacht, von jemand anderem abgemeldet. {name} hat ihn nicht angenommen.',
  'Made without {party}, whom somebody else had signed away: {rolls}. {party} has accepted {accepted} of them; the others count in no luck and no season.':
    'Ohne {party} gemacht, von jemand anderem abgemeldet: {rolls}. {party} hat {accepted} davon angenommen; die anderen zählen bei keinem Glück und in keiner Saison.',
  'Made without {party}, whom somebody else had signed away: {rolls}; {party} has accepted {accepted}.':
    'Ohne {party} gemacht, von jemand anderem abgemeldet: {rolls}; {party} hat {accepted} angenommen.',
  'No dice were rolled, and no player is left to roll any.': 'Es wurde nicht gewürfelt, und kein Spieler ist mehr da, der es könnte.',
  'No roll waits for dice, so there is nothing to {type}.': 'Kein Wurf wartet auf Würfel, also gibt es nichts für {type}.',
  'No roll was voided, so there is nothing to disclose.': 'Kein Wurf wurde abgebrochen, also ist nichts bekannt zu machen.',
  'No {role} comes later to this game.': 'In diesem Spiel kommt kein {role} später.',
  'Nobody can come in with this key: {problem}.': 'Mit diesem Schlüssel kann niemand hereinkommen: {problem}.',
  'Nobody comes later before everybody has joined: {missing} must join first.':
    'Niemand kommt später, bevor alle zugestimmt haben: {missing} muss erst zustimmen.',
  'Nobody could choose or predict these dice unless ALL of {names} worked together.':
    'Niemand konnte diese Würfel wählen oder vorhersagen, außer ALLE von {names} machten gemeinsame Sache.',
  'Nobody goes on under a new key before everybody has joined: {missing} must join first.':
    'Niemand macht mit einem neuen Schlüssel weiter, bevor alle zugestimmt haben: {missing} muss erst zustimmen.',
  'Nobody goes on under this key: {problem}.': 'Mit diesem Schlüssel macht niemand weiter: {problem}.',
  'Nobody in this log has the key of {name} that you know, and no party is called {name}.':
    'Niemand in diesem Protokoll hat den Schlüssel von {name}, den du kennst, und kein Beteiligter heißt {name}.',
  'Nobody in this log has the key of {name} that you know. {other} looks like {name}, and has another key: somebody may be posing.':
    'Niemand in diesem Protokoll hat den Schlüssel von {name}, den du kennst. {other} sieht aus wie {name} und hat einen anderen Schlüssel: Jemand gibt sich vielleicht als er aus.',
  'Nobody rolls before every player has agreed to the digital dice: {missing} must join first.':
    'Niemand würfelt, bevor alle Spieler den digitalen Würfeln zugestimmt haben: {missing} muss erst zustimmen.',
  'Not everybody has consented, so {party} has no say in what the others decide.': 'Nicht alle haben zugestimmt, also entscheidet {party} nicht mit.',
  'Nothing in the file could be judged.': 'Nichts in der Datei ließ sich beurteilen.',
  'Nothing waits for an opening of {author}.': 'Nichts wartet auf eine Offenlegung von {author}.',
  'Only a correction names results.': 'Nur eine Berichtigung nennt Ergebnisse.',
  'Only the holder of a roll can hide what it is for: {holder} would hold this one.':
    'Nur wer einen Wurf hat, kann verbergen, wofür er ist: Diesen hätte {holder}.',
  'Only {closer}, who opens last before the keeper, or a judge can void this roll, not {author}.':
    'Nur {closer}, der als Letzter vor dem Protokollführer offenlegt, oder ein Schiedsrichter kann diesen Wurf abbrechen, nicht {author}.',
  'Only {names} would contribute to this roll; it takes two.': 'Nur {names} würde zu diesem Wurf beitragen; es braucht zwei.',
  'Only {party} can accept the rolls that were made without {party}.': 'Nur {party} kann die Würfe annehmen, die ohne {party} gemacht wurden.',
  'Only {party} or a judge can say that {party} is back.': 'Nur {party} oder ein Schiedsrichter kann sagen, dass {party} wieder da ist.',
  'Only {party} or a judge can sign {party} away.': 'Nur {party} oder ein Schiedsrichter kann {party} abmelden.',
  'Only {party} or a judge can take {party} out of the game.': 'Nur {party} oder ein Schiedsrichter kann {party} aus dem Spiel nehmen.',
  'Policy: the cosignatures that it asks for are there, for all {events} events.':
    'Richtlinie: Die verlangten Gegenzeichnungen sind da, für alle {events} Ereignisse.',
  'Policy: whether its quorum is met is not known. It takes ML-DSA-44 to check the cosignatures of {names}, and this browser does not have it.':
    'Richtlinie: Ob ihr Quorum erreicht ist, ist nicht bekannt. Um die Gegenzeichnungen von {names} zu prüfen, braucht es ML-DSA-44, und dieser Browser hat es nicht.',
  'Python did not start in this browser.': 'Python ist in diesem Browser nicht gestartet.',
  'Python ended with an error in this browser.': 'Python endete in diesem Browser mit einem Fehler.',
  'Receipts ({names}): the log has all that {keeper} signed in them, up to its first {size} events.':
    'Quittungen ({names}): Das Protokoll hat alles, was {keeper} darin unterschrieben hat, bis zu seinen ersten {size} Ereignissen.',
  'Receipts ({names}): they are about events that do not hold.': 'Quittungen ({names}): Sie handeln von Ereignissen, die nicht stimmen.',
  'Roll {roll} cannot be taken back: only the latest roll can, once, before anything is played on it and where nothing of it was rolled again; a judge can still rule it void.':
    'Wurf {roll} kann nicht zurückgenommen werden: Das geht nur beim letzten Wurf, einmal, bevor etwas darauf gespielt wird und wo nichts davon neu gewürfelt wurde; ein Schiedsrichter kann ihn weiterhin für ungültig erklären.',
  'Rules ({system}): whether every event was allowed, and what the dice mean. They are not known here; {command} checks them.':
    'Regeln ({system}): Ob jedes Ereignis erlaubt war, und was die Würfel bedeuten. Hier sind sie nicht bekannt; {command} prüft sie.',
  'Step 1: the event': 'Schritt 1: das Ereignis',
  'Step 2: the commitments': 'Schritt 2: die Festlegungen',
  'Step 3: the openings': 'Schritt 3: die Offenlegungen',
  'Step 4: the seed': 'Schritt 4: der Seed',
  'Step 5: the dice': 'Schritt 5: die Würfel',
  "The appointment is no act by which an organizer of this table's event made {name} a judge.":
    'Die Ernennung ist keine Handlung, mit der ein Veranstalter dieses Tisches {name} zum Schiedsrichter gemacht hat.',
  'The body of this {type} is not as the specification has it: {problem}.':
    'Der Inhalt dieses {type} ist nicht, wie die Spezifikation ihn hat: {problem}.',
  'The bytes of this line are not the canonical form of what it says (they differ at byte {at}): two programs could read it in two ways.':
    'Die Bytes dieser Zeile sind nicht die kanonische Form dessen, was sie sagt (Unterschied bei Byte {at}): Zwei Leser könnten zweierlei darin sehen.',
  "The correction is no act by which an organizer of this table's event gave {name} this key, or stands beside a succession.":
    'Die Berichtigung ist keine Handlung, mit der ein Veranstalter dieses Tisches {name} diesen Schlüssel gegeben hat, oder sie steht neben einer Nachfolge.',
  'The file is empty.': 'Die Datei ist leer.',
  'The file is not a Rollproof log: its first line opens no game.': 'Die Datei ist kein Rollproof-Protokoll: Ihre erste Zeile eröffnet kein Spiel.',
  'The game is closed: nothing can be added.': 'Das Spiel ist beendet: Nichts kann hinzukommen.',
  'The game is not closed: it may go on, or its end may be missing from this file.':
    'Das Spiel ist nicht beendet: Es geht vielleicht weiter, oder sein Ende fehlt in dieser Datei.',
  "The game's terms are not valid: {problem}.": 'Die Bedingungen des Spiels sind ungültig: {problem}.',
  "The host's word for {author} does not hold: the host did not sign it for this key and role.":
    'Das Wort des Gastgebers für {author} stimmt nicht: Der Gastgeber hat es nicht für diesen Schlüssel und diese Rolle unterschrieben.',
  "The host's word here is not for this game: the game has no host, or the word is not for one of its latest {most} lines.":
    'Hier steht das Wort eines Gastgebers, den das Spiel nicht hat, oder nicht zu seinen letzten {most} Zeilen.',
  'The judge {judge} ruled rolls void ({count}×).': 'Schiedsrichter {judge} hat Würfe für ungültig erklärt ({count}×).',
  'The judge {judge} set results of dice ({count}×).': 'Schiedsrichter {judge} hat Ergebnisse von Würfeln festgesetzt ({count}×).',
  'The keeper says that this game goes on from game {game}, after its {events}, root {root}.':
    'Laut seinem Protokollführer setzt dieses Spiel Spiel {game} fort ({events}, Wurzel {root}).',
  'The last line has no line feed: the file was cut inside it.': 'Die letzte Zeile hat keinen Zeilenvorschub: Die Datei wurde darin abgeschnitten.',
  'The link that {author} gives is not on the chain that {author} committed to.':
    'Das Glied, das {author} gibt, liegt nicht auf der Kette, die {author} festgelegt hat.',
  'The link that {author} opened is not on the chain that {author} committed to.':
    'Das Glied, das {author} offengelegt hat, liegt nicht auf der Kette, die {author} festgelegt hat.',
  'The links give other dice than the reveal says.': 'Die Glieder ergeben andere Würfel, als das reveal sagt.',
  "The log has format '{actual}'; this program reads '{expected}'. Use a newer program to judge it.":
    'Das Protokoll hat das Format „{actual}“; dieses Programm liest „{expected}“. Nimm ein neueres Programm, um es zu beurteilen.',
  "The log was made for the rules '{actual}', which this program does not have.":
    'Das Protokoll wurde für die Regeln „{actual}“ gemacht, die dieses Programm nicht hat.',
  'The new key of {name} is one that {other} has, had or is to have.': 'Den neuen Schlüssel von {name} hat, hatte oder bekommt {other}.',
  "The opening is not {author}'s for this request: it was changed, or made for another.":
    'Die Offenlegung ist nicht die von {author} für diese Anfrage: Sie wurde geändert oder für eine andere gemacht.',
  "The openings here must be of contributors of the roll, in party order, none twice, with {keeper}'s own among them.":
    'Hier stehen Offenlegungen von Beitragenden des Wurfs, in der Reihenfolge der Beteiligten, keine zweimal, und die von {keeper} ist dabei.',
  'The policy asks for a checkpoint of all {events} events, and none was given.':
    'Die Richtlinie verlangt einen Checkpoint aller {events} Ereignisse, und es wurde keiner gegeben.',
  'The policy asks for more cosignatures on all {events} events. Missing: {names}.':
    'Die Richtlinie verlangt mehr Gegenzeichnungen zu allen {events} Ereignissen. Es fehlen: {names}.',
  'The policy asks for no witness, so two histories of one game can both meet it: name witnesses in its quorum line, and ask for more than half of them.':
    'Die Richtlinie verlangt keinen Zeugen, also können zwei Geschichten eines Spiels sie erfüllen: Nenne Zeugen in ihrer Quorum-Zeile, und verlange mehr als die Hälfte.',
  "The policy is split: two sets of witnesses without one in common can each meet {quorum}, so two histories of one game can both meet it though every witness is honest. Ask for more than half of a group's members.":
    'Die Richtlinie ist gespalten: Zwei Mengen von Zeugen ohne gemeinsamen können {quorum} je erfüllen, also können zwei Geschichten eines Spiels sie erfüllen, obwohl jeder Zeuge ehrlich ist. Verlange mehr als die Hälfte der Mitglieder einer Gruppe.',
  'The purpose that {author} gives for the roll is not the one that its request hid.':
    'Wofür der Wurf laut {author} war, ist nicht das, wofür seine Anfrage steht.',
  'The reveal of a secret roll has openings, and no dice.': 'Das reveal eines geheimen Wurfs hat Offenlegungen, und keine Würfel.',
  'The roll still waits.': 'Der Wurf wartet noch.',
  'The roll that {roller} asked for in event {seq} has no dice here: it waits for the openings of {others}, and then for {keeper} to reveal it. {closer} may call it off before opening; a judge can void it.':
    'Der Wurf, den {roller} in Ereignis {seq} verlangt hat, hat hier keine Würfel: Er wartet auf die Offenlegungen von {others}, und dann darauf, dass {keeper} sie zeigt. {closer} kann ihn vor dem Offenlegen abbrechen; sonst tut es ein Schiedsrichter.',
  'The secret that {author} gives is not the one that {author} sealed under number {number}.':
    'Das Geheimnis, das {author} gibt, ist nicht das, das {author} unter Nummer {number} besiegelt hat.',
  "The signature of the act about {name} is not that of {by}, an organizer of this table's event.":
    'Die Unterschrift der Handlung über {name} ist nicht die von {by}, Veranstalter dieses Tisches.',
  "The signature of this event is not {author}'s: it is not what {author} signed.":
    'Die Unterschrift dieses Ereignisses ist nicht die von {author}: Es ist nicht, was {author} unterschrieben hat.',
  "The succession is not from {name}'s present key to this one, by the recovery key of {name}'s join.":
    'Die Nachfolge führt nicht vom jetzigen Schlüssel von {name} zu diesem, mit dem Wiederherstellungsschlüssel aus dem Beitritt von {name}.',
  'The succession to the new key of {name} does not hold.': 'Die Nachfolge zum neuen Schlüssel von {name} gilt nicht.',
  'The time {actual} is before that of the event before, {expected}.': 'Die Zeit {actual} liegt vor der des Ereignisses davor, {expected}.',
  'The {name} of this log has another key than the {name} you know: somebody may be posing.':
    '{name} in diesem Protokoll hat einen anderen Schlüssel als {name}, wie du ihn kennst: Jemand gibt sich vielleicht als er aus.',
  "There is no event type '{type}'.": 'Es gibt keine Ereignisart „{type}“.',
  'This event belongs to another game, {actual}.': 'Dieses Ereignis gehört zu einem anderen Spiel, {actual}.',
  'This event does not follow the line before it: that line was changed, or lines were dropped or swapped.':
    'Dieses Ereignis folgt nicht auf die Zeile davor: Diese wurde geändert, oder Zeilen wurden weggelassen oder vertauscht.',
  'This game goes on from game {game}: look at that log too.': 'Dieses Spiel setzt Spiel {game} fort: Sieh dir auch dessen Protokoll an.',
  'This is roll {expected} of the game, not roll {actual}.': 'Dies ist Wurf {expected} des Spiels, nicht Wurf {actual}.',
  'This is the log of game {actual}, not of the one asked for.': 'Dies ist das Protokoll von Spiel {actual}, nicht des gefragten.',
  'This line has a null. Nothing in a log is null: a member that has no value is left out.':
    'Diese Zeile hat ein null. Nichts in einem Protokoll ist null: Was keinen Wert hat, bleibt weg.',
  'This line is not an event: {problem}.': 'Diese Zeile ist kein Ereignis: {problem}.',
  'This line is too long: at most {most} bytes.': 'Diese Zeile ist zu lang: höchstens {most} Bytes.',
  'This log does not hold. Up to event {last}: {statement}': 'Dieses Protokoll stimmt nicht. Bis Ereignis {last}: {statement}',
  'What it would have shown is not known: the log has no link of {names} for it.':
    'Was er gezeigt hätte, ist nicht bekannt: Das Protokoll hat dafür kein Glied von {names}.',
  'What the dice mean is step 6, the rules: {command}.': 'Was die Würfel bedeuten, ist Schritt 6, die Regeln: {command}.',
  'When {party} left, {party} still owed the roll of event {request}: it was voided, and never made again.':
    'Als {party} ging, schuldete {party} noch den Wurf von Ereignis {request}: Er wurde abgebrochen und nie wiederholt.',
  "Whether events are missing at the end: compare size and root with the keeper's or another copy.":
    'Ob am Ende Ereignisse fehlen: Vergleiche Größe und Wurzel mit der Kopie des Protokollführers oder einer anderen.',
  'Whether what was said at the table is what was signed, and whether the clocks were right.':
    'Ob das, was am Tisch gesagt wurde, auch unterschrieben wurde, und ob die Uhren richtig gingen.',
  'Whether {author} could ask in event {seq} for something else than what was owed since event {owed}: that takes the rules.':
    'Ob {author} in Ereignis {seq} etwas anderes verlangen durfte als das seit Ereignis {owed} Fällige: Das sagen die Regeln.',
  "Who had not opened, by {name}'s word: {names}.": 'Wer laut {name} nicht offengelegt hatte: {names}.',
  'Whose keys these are: compare the keys of {names} with what they gave you, or verify with those.':
    'Wessen Schlüssel das sind: Vergleiche die Schlüssel von {names} mit denen, die sie dir gegeben haben, oder prüfe mit jenen.',
  'a game has at most {most} parties': 'ein Spiel hat höchstens {most} Beteiligte',
  'a game has exactly one keeper and at least one player': 'ein Spiel hat genau einen Protokollführer und mindestens einen Spieler',
  'a group takes all, any or a number from 1 to that of its members, {count}':
    'eine Gruppe nimmt all, any oder eine Zahl von 1 bis zu der ihrer Mitglieder, {count}',
  'a judge contributes to no roll': 'ein Schiedsrichter trägt zu keinem Wurf bei',
  "an organizer of the event has the keeper's key": 'ein Veranstalter hat den Schlüssel des Protokollführers',
  bytes: 'Bytes',
  contributor: 'Beitragender',
  'contributors are parties in party order, each once, the keeper and at least one other':
    'Beitragende sind Beteiligte in deren Reihenfolge, jeder einmal, der Protokollführer und mindestens ein weiterer',
  die: 'Würfel',
  'each role that may come later stands there once': 'jede Rolle, die später kommen darf, steht dort einmal',
  event: 'Ereignis',
  'game masters may hold secret rolls, and there is none, now or later':
    'Spielleitungen dürfen geheime Würfe haben, und es gibt keine, weder jetzt noch später',
  gm: 'Spielleitung',
  head: 'Oberschiedsrichter',
  'in these rules no roll is secret': 'nach diesen Regeln ist kein Wurf geheim',
  'in these rules no {role} comes later': 'nach diesen Regeln kommt kein {role} später',
  'it has a number that is no integer within bounds': 'es hat eine Zahl, die keine ganze Zahl innerhalb der Grenzen ist',
  'it has half of a character, a lone surrogate': 'es hat ein halbes Zeichen, ein einzelnes Surrogat',
  'it has the form: group NAME all|any|K MEMBER…': 'es hat die Form: group NAME all|any|K MITGLIED…',
  'it has the form: log VKEY [URL]': 'es hat die Form: log VKEY [URL]',
  'it has the form: quorum NAME': 'es hat die Form: quorum NAME',
  'it has the form: witness NAME VKEY [URL]': 'es hat die Form: witness NAME VKEY [URL]',
  'it is for another link than the one that {author} has to open': 'sie ist für ein anderes Glied als das, das {author} offenzulegen hat',
  'it is for game {game}, not for this one': 'sie ist für Spiel {game}, nicht für dieses',
  'it is no JSON': 'es ist kein JSON',
  'it is not UTF-8': 'es ist kein UTF-8',
  judge: 'Schiedsrichter',
  keeper: 'Protokollführer',
  limit: 'Grenze',
  'line {number} of the policy: {problem}': 'Zeile {number} der Richtlinie: {problem}',
  natural: 'Würfelergebnis',
  'no judge has signed {name} away': 'kein Schiedsrichter hat {name} abgemeldet',
  "no line above defines '{name}'": 'keine Zeile darüber definiert „{name}“',
  nobody: 'niemand',
  'nobody else has signed {name} away': 'niemand sonst hat {name} abgemeldet',
  'nothing waits for an opening of {author}': 'nichts wartet auf eine Offenlegung von {author}',
  number: 'Zahl',
  organizer: 'Veranstalter',
  'passed over': 'übergangen',
  player: 'Spieler',
  sides: 'Seiten',
  'somebody is called {name} here': 'hier heißt jemand {name}',
  'the game names a host who says who comes later, but nobody may come later':
    'ein Gastgeber ist da, um zu sagen, wer später kommt, und niemand darf es',
  "the host has the keeper's key": 'der Gastgeber hat den Schlüssel des Protokollführers',
  "the keeper's judge": 'der Schiedsrichter des Protokollführers',
  'the key of {name} stands twice': 'der Schlüssel von {name} steht zweimal da',
  "the name '{name}' is taken": 'der Name „{name}“ ist vergeben',
  'the policy has a control character': 'die Richtlinie hat ein Steuerzeichen',
  'the policy has no quorum line': 'die Richtlinie hat keine Quorum-Zeile',
  'the policy is longer than {most} bytes': 'die Richtlinie ist länger als {most} Bytes',
  "the policy's last line has no line feed": 'die letzte Zeile der Richtlinie hat keinen Zeilenvorschub',
  "the signature is not {receiver}'s": 'die Unterschrift ist nicht die von {receiver}',
  'there are more than {most} of a kind': 'es sind mehr als {most} von einer Art',
  'there is a second quorum line': 'es gibt eine zweite Quorum-Zeile',
  'these rules have no {role}, but {name} is one': 'diese Regeln haben kein {role}, aber {name} ist eines',
  'this is not a key of the kind that is needed here: a key has the form name+hash+base64':
    'das ist kein Schlüssel der Art, die hier steht: Er hat die Form Name+Hash+Base64',
  'this log does not have the request that it is for': 'keine Anfrage dieses Protokolls ist die, für die sie ist',
  tip: 'Spitze',
  'two organizers of the event share a name or a key': 'zwei Veranstalter haben denselben Namen oder Schlüssel',
  'two parties are called {name}': 'zwei Beteiligte heißen {name}',
  witness: 'Zeuge',
  '{actual} is no party of this game: {expected}.': '{actual} ist kein Beteiligter dieses Spiels: {expected}.',
  '{author} asked for a {type} in event {seq}, which was voided: {author} asks for the same again before anything else.':
    '{author} hat in Ereignis {seq} ein {type} verlangt, das abgebrochen wurde: {author} verlangt vor allem anderen noch einmal dasselbe.',
  '{author} asked for {rolls} blind, which {holder} alone saw; {holder} showed {shown} and alone chose which.':
    '{author} hat {rolls} blind verlangt, und {holder} allein hat sie gesehen; {holder} hat {shown} gezeigt und allein gewählt, welche.',
  '{author} came later too, and consents when the others have consented to {author}.':
    '{author} kam auch später und stimmt zu, wenn die anderen {author} zugestimmt haben.',
  '{author} came later, and has no say in this before the others have consented.':
    '{author} kam später und hat hier nichts mitzureden, bevor die anderen zugestimmt haben.',
  '{author} came later, and judges nothing before everybody who plays has consented.':
    '{author} kam später und richtet nichts, bevor alle Mitspieler zugestimmt haben.',
  "{author} commits to a tip that this game has seen: a copy of another's commitment, or a chain used twice.":
    '{author} legt eine Spitze fest, die dieses Spiel schon gesehen hat: eine Kopie der Festlegung eines anderen, oder eine zweimal benutzte Kette.',
  '{author} contributes to no roll of this game, so has nothing to commit to.':
    '{author} trägt zu keinem Wurf dieses Spiels bei, hat also nichts festzulegen.',
  '{author} gives the next link of the chain that a commit replaces, and none where there was none.':
    '{author} gibt das nächste Glied der Kette, die ein commit ersetzt, und keines, wo keine war.',
  '{author} gives the secret of the last tag of the seal before, and none where there was none.':
    '{author} gibt das Geheimnis der letzten Marke des vorigen seal, und keines, wo keines war.',
  '{author} goes on under this key when all others have consented, two or more; so far: {names}.':
    '{author} macht mit diesem Schlüssel weiter, wenn alle anderen zugestimmt haben, mindestens zwei; bisher: {names}.',
  '{author} has agreed already to take roll {roll} back.': '{author} hat schon zugestimmt, Wurf {roll} zurückzunehmen.',
  '{author} has at most {most} unused secrets for rolls.': '{author} hat höchstens {most} unbenutzte Geheimnisse für Würfe.',
  '{author} has called {party} away already.': '{author} hat {party} schon abgemeldet.',
  '{author} has consented to {party} already.': '{author} hat {party} schon zugestimmt.',
  "{author} has consented to {party}'s new key already.": '{author} hat dem neuen Schlüssel von {party} schon zugestimmt.',
  '{author} has joined already.': '{author} hat schon zugestimmt.',
  '{author} has left the game.': '{author} hat das Spiel verlassen.',
  '{author} has no burned link that is still unknown, so there is none to give here.':
    '{author} hat hier kein unbekanntes verbrauchtes Glied, also ist keines zu geben.',
  "{author} has not joined: a party's first event is its join.":
    '{author} hat noch nicht zugestimmt: Das erste Ereignis eines Beteiligten ist sein join.',
  '{author} is a {role}; only a {may} may write {type}.': '{author} ist {role}; nur {may} darf {type} schreiben.',
  '{author} is alone here, and nobody takes a roll back alone: a judge can rule it void.':
    '{author} ist allein hier, und niemand nimmt allein einen Wurf zurück: Ein Schiedsrichter kann ihn für ungültig erklären.',
  '{author} is away, and says so first when it is back.': '{author} ist weg und meldet sich zuerst zurück.',
  '{author} is the judge that {keeper} runs, and writes join and void alone, not {type}.':
    '{author} ist der Schiedsrichter, den {keeper} betreibt, und schreibt nur join und void, nicht {type}.',
  '{author} opened link {actual}; this roll takes link {expected}.': '{author} hat Glied {actual} offengelegt; dieser Wurf nimmt Glied {expected}.',
  '{author} shows its own opening, not one of {actual}.': '{author} zeigt die eigene Offenlegung, nicht eine von {actual}.',
  "{author} signed event {seq}, and {keeper}, the keeper, has not signed over it. {author}'s program need not know the rules. The event is an offer, not a part of this log: nobody is at fault.":
    '{author} hat Ereignis {seq} unterschrieben, mit einem Programm, das die Regeln nicht kennen muss, und {keeper}, der Protokollführer, hat es nicht gegengezeichnet. Es ist ein Angebot und kein Teil dieses Protokolls: Niemand ist schuld.',
  "{author} signed it; {author}'s program need not know the rules.":
    '{author} hat es unterschrieben, mit einem Programm, das die Regeln nicht kennen muss.',
  '{author} signed {party} away ({count}×): while away {party} has no part in the dice.':
    '{author} hat {party} abgemeldet ({count}×): Solange {party} weg ist, hat er keinen Teil an den Würfeln.',
  '{author} signed {party} away ({count}×, first in event {seq}).': '{author} hat {party} abgemeldet ({count}×, zuerst in Ereignis {seq}).',
  '{author} took {party} out of the game (event {seq}).': '{author} hat {party} aus dem Spiel genommen (Ereignis {seq}).',
  '{author} took {party} out of the game: {party} has no part in later dice.':
    '{author} hat {party} aus dem Spiel genommen: {party} hat keinen Teil an späteren Würfeln.',
  '{by} closed the game while the roll that {roller} asked for waited: it was left without dice.':
    '{by} hat das Spiel beendet, während der von {roller} verlangte Wurf wartete: Er blieb ohne Würfel.',
  '{count} by {name} ({keeper} and {name} together could have known the dice first)':
    '{count} durch {name} ({keeper} und {name} zusammen konnten die Würfel vorher kennen)',
  '{count} by {name} ({keeper} with {name}, or with {closers}, could have known the dice first)':
    '{count} durch {name} ({keeper} mit {name} oder mit {closers} konnte die Würfel vorher kennen)',
  '{count} by {name} ({keeper}, who runs {name}, could have known the dice first)':
    '{count} durch {name} ({keeper}, der {name} betreibt, konnte die Würfel vorher kennen)',
  '{file} does not hold: {problem}': '{file} stimmt nicht: {problem}',
  '{file} holds: {author} opened link {index} for roll {roll}.': '{file} stimmt: {author} hat Glied {index} für Wurf {roll} offengelegt.',
  '{file} holds: {receiver} received link {index} of {author} for roll {roll}.':
    '{file} stimmt: {receiver} hat Glied {index} von {author} für Wurf {roll} erhalten.',
  '{file} is neither an opening nor a receipt for one (specs/protocol.md).':
    '{file} hat nicht die Form einer Offenlegung und nicht die einer Quittung dafür (specs/protocol.md).',
  '{holder} can hold no secret roll of {author} here.': '{holder} kann hier keinen geheimen Wurf von {author} haben.',
  '{holder} has no secret left for this roll, and has to seal first.':
    '{holder} hat kein Geheimnis mehr für diesen Wurf und muss erst welche festlegen.',
  '{holder} holds {most} secret rolls that are not shown, and shows one first.':
    '{holder} hat {most} geheime Würfe, die nicht gezeigt sind, und zeigt erst einen.',
  '{holder} owes the secret of a roll that was voided, and shows that first.':
    '{holder} schuldet das Geheimnis eines abgebrochenen Wurfs und zeigt das zuerst.',
  '{holder} rolled {rolls} in secret and showed {shown}: {holder} alone chose which.':
    '{holder} hat {rolls} geheim gewürfelt und {shown} gezeigt: Welche, hat {holder} allein gewählt.',
  '{holder}, who would hold this roll, is not at the table.': '{holder}, der diesen Wurf hätte, ist nicht am Tisch.',
  '{keeper} has not signed the line that this file has in its place.':
    '{keeper} hat nicht unterschrieben, was in dieser Datei an seiner Stelle steht.',
  "{keeper} let {party} in later, alone (event {seq}): {party} may be {keeper}'s own hand.":
    '{keeper} hat {party} später hereingelassen, allein (Ereignis {seq}): {party} kann die Hand von {keeper} selbst sein.',
  '{keeper} runs the judge {judge} too, and could have a roll called off whose dice it knew.':
    '{keeper} betreibt auch den Schiedsrichter {judge} und konnte einen Wurf abbrechen lassen, dessen Würfel bekannt waren.',
  '{keeper} signed both histories: keep this file and {name}; together they show it to anybody.':
    '{keeper} hat beide Geschichten unterschrieben: Behalte diese Datei und {name}; zusammen zeigen sie es jedem.',
  '{keeper}, the keeper of this game, is not one of the keepers that the policy accepts.':
    '{keeper}, der Protokollführer dieses Spiels, ist keiner von denen, die die Richtlinie anerkennt.',
  '{keeper}, the keeper, accepted it all the same.': '{keeper}, der Protokollführer, hat es trotzdem angenommen.',
  '{keeper}, the keeper, has not signed over the events from event {seq} on; only their authors vouch for them.':
    '{keeper}, der Protokollführer, hat nicht gegengezeichnet, was ab Ereignis {seq} steht; nur die Autoren stehen dafür ein.',
  '{keeper}, the keeper, knows them, and accepted it all the same.': '{keeper}, der Protokollführer, kennt sie und hat es trotzdem angenommen.',
  "{keeper}, the keeper, let {party} in alone: {party} may be {keeper}'s own hand.":
    '{keeper}, der Protokollführer, hat {party} allein hereingelassen: {party} kann die Hand von {keeper} selbst sein.',
  '{keeper}, the keeper, let {party} in as a judge: {organizer}, an organizer of the event, signed it.':
    '{keeper}, der Protokollführer, hat {party} als Schiedsrichter eingelassen: {organizer}, Veranstalter, hat es unterschrieben.',
  "{keeper}, the keeper, let {party} in by the host's word.":
    '{keeper}, der Protokollführer, hat {party} auf das Wort des Gastgebers hereingelassen.',
  '{keeper}, the keeper, signed in {name} for a history of {size} events that this log does not have.':
    '{keeper}, der Protokollführer, hat in {name} eine Geschichte von {size} Ereignissen unterschrieben, die dieses Protokoll nicht hat.',
  '{keeper}, the keeper, signed in {name} for {size} events; this file has {events}: its end is missing.':
    '{keeper}, der Protokollführer, hat in {name} für {size} Ereignisse unterschrieben; diese Datei hat {events}: Ihr Ende fehlt.',
  '{keeper}, the keeper, signed over it.': '{keeper}, der Protokollführer, hat es gegengezeichnet.',
  '{keeper}, who could have known its dice, closed the game before the roll of {roller} had any.':
    '{keeper}, der die Würfel kennen konnte, hat das Spiel beendet, bevor der Wurf von {roller} welche hatte.',
  '{names} together took back the roll that {roller} had asked for in event {request}; its dice showed {naturals}.':
    '{names} haben gemeinsam den Wurf zurückgenommen, den {roller} in Ereignis {request} verlangt hatte; seine Würfel zeigten {naturals}.',
  '{names} together took back {rolls} after their dice were shown (first in event {seq}).':
    '{names} haben gemeinsam {rolls} zurückgenommen, nachdem die Würfel gezeigt waren (zuerst in Ereignis {seq}).',
  '{name} has no link left for this roll: {name} must commit to a seed chain first.':
    '{name} hat kein Glied mehr für diesen Wurf: {name} muss erst eine Seed-Kette festlegen.',
  '{name} has no signature of {keeper}, the keeper, that holds: anybody could have written it.':
    '{name} hat keine gültige Unterschrift von {keeper}, dem Protokollführer: Jeder kann es geschrieben haben.',
  '{name} has not shown {rolls} that {name} holds in secret: only {name} knows the dice.':
    '{name} hat {rolls}, die {name} geheim hat, nicht gezeigt: Nur {name} kennt die Würfel.',
  '{name} has the key of {other}': '{name} hat den Schlüssel von {other}',
  '{name} has the same key as another party': '{name} hat denselben Schlüssel wie ein anderer Beteiligter',
  '{name} is a receipt of another game: it says nothing about this one.':
    '{name} ist eine Quittung eines anderen Spiels: Sie sagt über dieses nichts.',
  '{name} is called like {other}: {text}': '{name} heißt wie {other}: {text}',
  "{name} is no party of this log: {name}'s key plays as {other}.":
    '{name} ist kein Beteiligter dieses Protokolls: Der Schlüssel von {name} spielt als {other}.',
  '{name} is no party that is away': '{name} ist niemand, der abwesend ist',
  '{name} is not a checkpoint of a game.': '{name} ist kein Checkpoint eines Spiels.',
  '{name} is the name of a party': '{name} ist der Name eines Beteiligten',
  '{name} looks like {other}': '{name} sieht aus wie {other}',
  "{name} opened for {rolls} that {name} voided: both are signed with {name}'s key, and who closes a roll does not do both.":
    '{name} hat für {rolls} offengelegt, die {name} abgebrochen hat: Beides ist mit dem Schlüssel von {name} unterschrieben, und wer einen Wurf abschließt, tut nicht beides.',
  "{name} opened for {rolls} that {name} voided: the keeper's disclose has the opening. Both are signed with {name}'s key, and who closes a roll does not do both: {keeper}, the keeper, and {name} together could have known the dice first. Ask {name} who has that key.":
    '{name} hat für {rolls} offengelegt, die {name} abgebrochen hat: Das disclose des Protokollführers hat die Offenlegung. Beides ist mit dem Schlüssel von {name} unterschrieben, und wer einen Wurf abschließt, tut nicht beides: {keeper}, der Protokollführer, und {name} zusammen konnten die Würfel vorher kennen. Frag {name}, wer diesen Schlüssel hat.',
  '{name} opened link {index} for this request; it must lead to link {known}, seen in event {seq}.':
    '{name} hat Glied {index} für diese Anfrage offengelegt; es muss zu Glied {known} führen, gesehen in Ereignis {seq}.',
  '{name} shows openings that {judge} called missing ({count}×). Either {keeper}, who runs {judge}, had them, and knew the dice when the roll was called off, or they were lost on their way. Ask both, and whoever has a receipt for one.':
    '{name} zeigt Offenlegungen, die {judge} fehlend nannte ({count}×). Entweder hatte {keeper}, der {judge} betreibt, sie und kannte die Würfel, als der Wurf abgebrochen wurde, oder sie gingen unterwegs verloren. Frag beide, und wer eine Quittung dafür hat.',
  '{name} shows openings that {judge} called missing ({count}×, first in event {seq}).':
    '{name} zeigt Offenlegungen, die {judge} fehlend nannte ({count}×, zuerst in Ereignis {seq}).',
  '{name} voided {rolls}.': '{name} hat {rolls} abgebrochen.',
  '{name} was let in with the key that you know, and has not joined.':
    '{name} wurde mit dem Schlüssel hereingelassen, den du kennst, und hat noch nicht zugestimmt.',
  '{name}, whom the keeper runs as a judge, is none here': '{name}, den der Protokollführer als Schiedsrichter betreibt, ist hier keiner',
  '{others} had no part in these dice: {names} together could have chosen them.':
    '{others} hatte keinen Teil an diesen Würfeln: {names} zusammen hätten sie wählen können.',
  '{party} came later, appointed by {organizer}, an organizer of the event (event {seq}).':
    '{party} kam später, ernannt von {organizer}, Veranstalter (Ereignis {seq}).',
  "{party} came later, by the host's word (event {seq}).": '{party} kam später, auf das Wort des Gastgebers (Ereignis {seq}).',
  '{party} goes on because others said so, and accepts no rolls.': '{party} macht auf das Wort anderer weiter und nimmt keine Würfe an.',
  '{party} goes on under a new key, by the word of {names} (event {seq}): {party} may be somebody else now.':
    '{party} macht mit einem neuen Schlüssel weiter, auf das Wort von {names} (Ereignis {seq}): {party} kann jetzt jemand anderes sein.',
  "{party} goes on under a new key, by {party}'s recovery key (event {seq}).":
    '{party} macht mit einem neuen Schlüssel weiter, mit dem Wiederherstellungsschlüssel von {party} (Ereignis {seq}).',
  '{party} goes on under a new key: {names} consented to it. {party} may be somebody else now.':
    '{party} macht mit einem neuen Schlüssel weiter: {names} haben zugestimmt. {party} kann jetzt jemand anderes sein.',
  '{party} goes on under a new key: {organizer}, an organizer of the event, corrected the key, and the judge {judge} had signed {party} away. {party} may be somebody else now.':
    '{party} macht mit einem neuen Schlüssel weiter: {organizer}, Veranstalter, hat den Schlüssel berichtigt, und {judge} hatte {party} als Schiedsrichter abgemeldet. {party} kann jetzt jemand anderes sein.',
  "{party} goes on under a new key: {party}'s recovery key signed for it.":
    '{party} macht mit einem neuen Schlüssel weiter: Der Wiederherstellungsschlüssel von {party} hat dafür unterschrieben.',
  '{party} has left already.': '{party} ist schon gegangen.',
  '{party} is no party of this game.': '{party} ist kein Beteiligter dieses Spiels.',
  '{party} is not a contributor who could be away.': '{party} trägt zu keinem Wurf als einer bei, der weg sein könnte.',
  '{party} is not at the table.': '{party} ist nicht am Tisch.',
  '{party} is not away.': '{party} ist nicht weg.',
  '{party} keeps the log and cannot leave; close the game instead.':
    '{party} führt das Protokoll und kann nicht gehen; beende stattdessen das Spiel.',
  '{party}, whom event {admit} admits, needs no consent.': '{party}, hereingelassen in Ereignis {admit}, braucht keine Zustimmung.',
  '{receiver} is no party of this game': '{receiver} ist kein Beteiligter dieses Spiels',
  '{rolls} without dice and without the link of {name}: what would have been shown is not known.':
    '{rolls} ohne Würfel und ohne das Glied von {name}: Was gezeigt worden wäre, ist nicht bekannt.',
  '{text} is no verifier key that is valid': '{text} ist kein gültiger Prüfschlüssel',
};
