/**
 * The German of what the first page shows: made by `python -m tests.make.words` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const GERMAN = {
  '(at least {least} characters)': '(mindestens {least} Zeichen)',
  '(may be left out)': '(kann frei bleiben)',
  '(may be left out: {value})': '(kann frei bleiben: {value})',
  '(may be left out; else at least {least} characters)': '(kann frei bleiben; sonst mindestens {least} Zeichen)',
  'A key of its own for this table': 'Ein eigener Schlüssel für diesen Tisch',
  'A roll that somebody stopped before anybody could know the dice. The same roll is still owed, with new dice. The log shows this.':
    'Ein Wurf, den jemand beendet hat, bevor die Würfel bekannt sein konnten. Derselbe Wurf ist fällig, mit neuen Würfeln, und das Protokoll zeigt es.',
  'A roll waits for 1 to {most} seconds before the server’s judge calls it off.':
    'Ein Wurf wartet 1 bis {most} Sekunden, bevor der Schiedsrichter des Servers ihn abbricht.',
  'A roll waits, however long, and nobody gains a second roll by waiting. The person who rolls can call it off before giving their own part. A judge among you can too. Otherwise the game ends there.':
    'Ein Wurf wartet, egal wie lange, und niemand bekommt dadurch einen zweiten. Wer würfelt, kann ihn abbrechen, bevor der eigene Teil gegeben ist, oder ein Schiedsrichter unter euch; sonst endet das Spiel dort.',
  'A table is a link. Each player’s browser has a part in every roll, and checks it: nobody can choose or predict the dice, this server neither.':
    'Ein Tisch ist ein Link. Der Browser jedes Mitspielers hat an jedem Wurf teil und prüft ihn: Niemand kann die Würfel wählen oder vorhersagen, auch dieser Server nicht.',
  'About this page': 'Über diese Seite',
  'After a mis-tap all who play can take the latest roll back together':
    'Nach einem Fehltipp können alle, die spielen, den letzten Wurf gemeinsam zurücknehmen',
  'After that, you sit down as the person in the file. You no longer sit down as {name}: that key ends here.':
    'Von da an nimmst du als die Person der Datei Platz und nicht mehr als {name}, deren Schlüssel hier endet.',
  'An address with a secret in it. Anybody who has it can sit down, or look on. Send it only to the people it is for.':
    'Eine Adresse mit einem Geheimnis darin: Wer sie hat, kann Platz nehmen oder zuschauen. Schick sie nur denen, für die sie ist.',
  'Another seat was taken at this table in this browser, as {name}.':
    'In diesem Browser wurde an diesem Tisch ein anderer Platz eingenommen, als {name}.',
  'Before the roll, each browser has fixed a secret. All secrets together make the dice, so nobody can choose or predict them alone.':
    'Vor den Würfeln hat jeder Browser ein Geheimnis festgelegt. Alle Geheimnisse zusammen ergeben die Würfel, also kann niemand sie allein wählen oder vorhersagen.',
  'Bring in the file that you saved. This browser gets a new key, and can show that it is yours. If a game is still going on, ask for your place at its table.':
    'Bring die Datei mit, die du gesichert hast. Dieser Browser bekommt einen neuen Schlüssel und kann zeigen, dass es deiner ist. In einem Spiel, das läuft, fragst du an seinem Tisch nach deinem Platz.',
  'Calls for rolls and says how difficult they are.': 'Ruft zu Würfen auf und sagt, wie schwierig sie sind.',
  'Choose one of these, and then open the table.': 'Wähle eines davon und eröffne dann den Tisch.',
  'Choose one. Go on: the server could have a roll made again. Wait: one of you can stop the game by staying away.':
    'Wähle. Weiterspielen: Der Server könnte einen Wurf wiederholen lassen. Warten: Einer von euch kann das Spiel anhalten, indem er wegbleibt.',
  'Choose the file first.': 'Wähle zuerst die Datei.',
  Close: 'Schließen',
  'Closed games stay here for {count} {count:day|days}.': 'Beendete Spiele bleiben hier {count} {count:Tag|Tage}.',
  Copied: 'Kopiert',
  Copy: 'Kopieren',
  'Copy: {what}': 'Kopieren: {what}',
  'Dice that everybody can check': 'Würfel, die jeder prüfen kann',
  'Dice that somebody asked for, and what became of them.': 'Würfel, die jemand verlangt hat, und was daraus wurde.',
  'Digits to compare without using this server, for example aloud. People with the same digits see the same log.':
    'Ziffern zum Vergleichen ohne diesen Server, zum Beispiel laut. Wer dieselben Ziffern hat, sieht dasselbe Protokoll.',
  'Everybody: one honest player is enough for fair dice. Each page has to be open.':
    'Alle: Ein ehrlicher Spieler reicht für faire Würfel. Jede Seite muss offen sein.',
  'Everything that happened, in order, signed by who did it. Nothing in it can be changed unnoticed. Everybody has the whole log.':
    'Alles, was geschah, der Reihe nach, unterschrieben von dem, der es tat. Nichts darin lässt sich unbemerkt ändern. Alle haben das ganze Protokoll.',
  'Games stay here until their host deletes them.': 'Spiele bleiben hier, bis ihr Gastgeber sie löscht.',
  'Go on without them': 'Ohne die Person weiterspielen',
  'I have a seat on another device': 'Ich habe einen Platz auf einem anderen Gerät',
  'If somebody’s phone dies?': 'Wenn ein Handy ausgeht?',
  'If you leave this empty, you are called {text}.': 'Bleibt das Feld leer, heißt du {text}.',
  'In doubt?': 'Im Zweifel?',
  'It is the same file each time, and opens with the passphrase that you chose.':
    'Es ist jedes Mal dieselbe Datei, und sie geht mit der Passphrase auf, die du gewählt hast.',
  'Its host had it deleted from the server. Anybody who saved the log still has it.':
    'Der Gastgeber hat es vom Server löschen lassen. Wer das Protokoll gesichert hat, hat es.',
  'Its passphrase': 'Die Passphrase dazu',
  'Keep it safe': 'Gut aufbewahren',
  'Keeps the log and hands it on. It cannot choose or predict dice.':
    'Führt das Protokoll und gibt es weiter. Er kann Würfel weder wählen noch vorhersagen.',
  'Licences of what the rules run on': 'Lizenzen dessen, worauf die Regeln laufen',
  'Links for': 'Links für',
  'May rule on what happened, and give dice another result. Each ruling stands in the log, with the judge’s name.':
    'Darf über Geschehenes entscheiden und Würfeln ein anderes Ergebnis geben. Jede Entscheidung steht im Protokoll, mit dem Namen des Schiedsrichters.',
  More: 'Mehr',
  'My seat': 'Mein Platz',
  'Name at least one person, besides the server, who has a part in each roll.': 'Nenne mindestens einen, der außer dem Server an jedem Wurf teilhat.',
  'Nobody yet. You get a key when you first sit down at a table.':
    'Noch niemand. Du bekommst einen Schlüssel, wenn du zum ersten Mal an einem Tisch Platz nimmst.',
  'None of these games has begun.': 'Keines dieser Spiele hat begonnen.',
  'Nothing was signed. Save the evidence, and tell the others without using this server.':
    'Nichts wurde unterschrieben. Sichere, was es zeigt, und sag es den anderen auf einem anderen Weg als über diesen Server.',
  'On the other device choose “Move this seat”, and bring the file that it saves here. From then on the seat is here, and nowhere else.':
    'Wähle auf dem anderen Gerät „Diesen Platz übertragen“ und bring die gespeicherte Datei hierher. Ab dann ist der Platz hier und nirgends sonst.',
  'Once the rules are loaded, this page works out what dice mean, what can be done, and how a typed line is read. It then signs nothing that the rules refuse. Until then it shows the server’s word, and marks it as such. The rules are the same program as {command}, not a second opinion.':
    'Was Würfel bedeuten, was getan werden kann und wie eine getippte Zeile gelesen wird, wird hier von den Regeln selbst ermittelt, sobald sie geladen sind: Dann wird nichts unterschrieben, was sie ablehnen. Bis dahin ist es das Wort des Servers und so gekennzeichnet. Die Regeln sind dasselbe Programm wie {command} und keine zweite Meinung.',
  'One game with the people who sit at it. Its link opens it.': 'Ein Spiel mit den Leuten, die daran sitzen. Sein Link öffnet ihn.',
  'Only the game master sees such dice until they are shown. Nothing in the game depends on them. The log counts the rolls that are not shown.':
    'Solche Würfel gehören der Spielleitung allein, bis sie gezeigt werden; an ihnen hängt nichts im Spiel, und das Protokoll zählt, was nicht gezeigt ist.',
  'Open a table': 'Einen Tisch eröffnen',
  'Open the table': 'Den Tisch eröffnen',
  'Open the table and sit down': 'Den Tisch eröffnen und Platz nehmen',
  Options: 'Einstellungen',
  Passphrase: 'Passphrase',
  'Save all logs (zip)': 'Alle Protokolle sichern (zip)',
  'Save the evidence': 'Die Beweise sichern',
  'Save the file': 'Die Datei sichern',
  'Save the file again': 'Die Datei noch einmal sichern',
  'Save the succession': 'Die Nachfolge sichern',
  'Saved. Keep the file where you still have it if you lose this device.':
    'Gesichert. Bewahre die Datei dort auf, wo sie nicht mit diesem Gerät verloren geht.',
  'Seconds that a roll waits before the server’s judge calls it off':
    'Sekunden, die ein Wurf wartet, bevor der Schiedsrichter des Servers ihn abbricht',
  'Sees and checks everything, and has no part in the dice.': 'Sieht und prüft alles und hat keinen Teil an den Würfeln.',
  Share: 'Teilen',
  'Share: {what}': 'Teilen: {what}',
  'Somebody else at this table has the name of your key, {name}. You get a separate key for this table.':
    'Jemand anderes heißt hier wie dein Schlüssel, {name}: Für diesen Tisch bekommst du einen eigenen Schlüssel.',
  'Somebody who has no part in the dice until they are back, so that the others need not wait. A judge can sign away a person who is not connected. If the terms say so, all others together can do it too.':
    'Jemand, der bis zu seiner Rückkehr keinen Teil an den Würfeln hat, damit die anderen nicht warten müssen. Wer nicht verbunden ist, kann abgemeldet werden: von einem Schiedsrichter, und wo die Bedingungen es sagen, von allen anderen gemeinsam.',
  'Something else came first. Look at what has changed, and choose again.':
    'Etwas anderes kam zuerst. Sieh nach, was sich geändert hat, und wähle noch einmal.',
  'Something here is not as it was signed': 'Hier ist etwas nicht so, wie es unterschrieben wurde',
  'Table without a title': 'Tisch ohne Titel',
  'Tables of this browser': 'Tische dieses Browsers',
  'Take the seat here': 'Den Platz hier einnehmen',
  'The answer of the server does not follow the protocol.': 'Der Server hat eine Antwort gegeben, die nicht zu diesem Protokoll gehört.',
  'The changes of key in this profile do not hold.': 'Die Schlüsselwechsel in diesem Profil stimmen nicht.',
  'The code of this page comes from the server, so a cheating server could send a cheating page. A page cannot find this out by itself. Compare its hash with the one that {command} prints at the end of its lines on a machine that you trust. Check the saved log there too.':
    'Der Code dieser Seite kommt vom Server. Ein betrügender Server könnte also eine betrügende Seite schicken, und keine Seite kann das von sich aus erkennen. Um es herauszufinden, vergleiche ihren Hash mit dem, den {command} auf einem Gerät deines Vertrauens am Ende ausgibt; und prüfe dort das gesicherte Protokoll.',
  'The dice are checked here. The server says what they come to by the rules; “rollproof verify” checks that too.':
    'Die Würfel sind hier geprüft; was sie nach den Regeln ergeben, sagt der Server. „rollproof verify“ prüft auch das.',
  'The file': 'Die Datei',
  'The file makes you a new key when this one is lost, and shows that it is yours. It signs in no game. Keep it elsewhere.':
    'Die Datei macht dir einen neuen Schlüssel, wenn dieser verloren ist, und zeigt, dass es deiner ist. Sie unterschreibt in keinem Spiel. Bewahre sie anderswo auf.',
  'The game': 'Das Spiel',
  'The game is being fetched and checked…': 'Das Spiel wird geholt und geprüft …',
  'The game master may roll behind a screen': 'Die Spielleitung darf hinter einem Schirm würfeln',
  'The key of this file has not named its recovery key.': 'Der Schlüssel dieser Datei hat ihren Wiederherstellungsschlüssel nicht benannt.',
  'The logs do not show that I also play at other tables': 'Niemand sieht an den Protokollen, dass ich auch an anderen Tischen spiele',
  'The manifest of this page:': 'Das Manifest dieser Seite:',
  'The names under which they will sit down. Add yours if you have a part. {keeper}, the server, has a part without being named. The game can start when all of them are seated.':
    'Die Namen, unter denen sie Platz nehmen, auch deiner, wenn du teilhast; {keeper}, der Server, hat teil, ohne genannt zu sein. Das Spiel kann beginnen, wenn alle dort sitzen.',
  'The part of the link after # is missing or damaged. Ask the sender for the whole link.':
    'Was hinter # steht, fehlt oder ist beschädigt. Bitte um den ganzen Link, wer ihn geschickt hat.',
  'The passphrase does not open this file, or the file was changed.': 'Die Passphrase öffnet diese Datei nicht, oder die Datei wurde verändert.',
  'The person who rolls, and the server: for large tables of friends. The others’ pages need not be open.':
    'Wer würfelt, und der Server: für große Tische unter Freunden. Die Seiten der anderen müssen nicht offen sein.',
  'The server cannot be reached.': 'Der Server ist nicht zu erreichen.',
  'The server did not answer for {names}: the logs in this browser may lack their latest events.':
    'Der Server hat zu {names} nicht geantwortet: Den Protokollen in diesem Browser fehlen vielleicht die letzten Ereignisse.',
  'The server does not answer. The tables below are as this browser holds them; what was to be sent waits, and a new table needs the server.':
    'Der Server antwortet nicht. Die Tische unten sind, wie dieser Browser sie hat; was zu senden war, wartet, und ein neuer Tisch braucht den Server.',
  'The server posts each result, with names and what it was for, to {place}.':
    'Der Server veröffentlicht jedes Ergebnis, mit Namen und wofür gewürfelt wurde, auf {place}.',
  'The server took the table under another id: it is not the one that was opened.':
    'Der Server hat den Tisch unter einer anderen Kennung angenommen: Es ist nicht der eröffnete.',
  'The server’s judge calls off a roll that has waited too long, and those who are there go on. Somebody who comes back is back with one tap. The operator of the server runs its judge too, and could call off a roll whose dice they do not like. The log counts and shows each.':
    'Der Schiedsrichter des Servers bricht einen Wurf ab, der zu lange gewartet hat; wer da ist, spielt weiter, und wer zurückkommt, ist mit einem Tipp wieder dabei. Wer den Server betreibt, betreibt auch dessen Schiedsrichter, und könnte einen Wurf abbrechen, dessen Würfel nicht gefallen. Das Protokoll zählt und zeigt jeden.',
  'The table is being opened…': 'Der Tisch wird geöffnet …',
  'Their names, with commas': 'Ihre Namen, mit Kommas',
  'There is no profile in this browser yet: take a seat first.': 'In diesem Browser gibt es noch kein Profil: Nimm zuerst irgendwo Platz.',
  'This browser cannot keep a key that signs: you can look on, but you cannot take a seat. Use a current browser, over https, and not in a private window.':
    'Dieser Browser kann keinen Schlüssel zum Unterschreiben behalten: Du kannst zuschauen, aber keinen Platz nehmen. Ein aktueller Browser kann es, über https und nicht in einem privaten Fenster.',
  'This browser could not save what it must remember ({problem}), so it did not send what came after. Make room on this device, or leave the private window. The browser tries again by itself.':
    'Dieser Browser hat nicht behalten, was er sich merken muss ({problem}). Was zu senden war, wurde nicht gesendet. Mach Platz auf diesem Gerät, oder verlass das private Fenster; es wird von selbst noch einmal versucht.',
  'This browser has checked it: every secret was fixed before the roll, and exactly these dice follow from them.':
    'Dieser Browser hat es geprüft: Jedes Geheimnis war vor dem Wurf festgelegt, und genau diese Würfel folgen daraus.',
  'This browser has not promised to keep what is stored here. If it is cleared, the seat ends.':
    'Dieser Browser hat nicht versprochen zu behalten, was hier gespeichert ist. Wird es gelöscht, endet der Platz.',
  'This browser knows that table: go on there': 'Dieser Browser kennt den Tisch: dort weitermachen',
  'This file holds another recovery key than it says.': 'In dieser Datei steht ein anderer Wiederherstellungsschlüssel, als sie sagt.',
  'This file is of a profile at another server, {server}, and cannot be used here. Nothing was changed.':
    'Diese Datei gehört zu einem Profil auf einem anderen Server, {server}, und gilt hier nicht. Nichts wurde geändert.',
  'This file is of a seat at another table.': 'Diese Datei ist von einem Platz an einem anderen Tisch.',
  'This file was brought in here before: a file is used once. Save a new one for the key that you have now.':
    'Diese Datei wurde hier schon eingelesen: Eine Datei gilt einmal. Sichere eine neue für den Schlüssel, den du jetzt hast.',
  'This game needs a game master: somebody has to sit down by the link for one before you start.':
    'Dieses Spiel braucht eine Spielleitung: Jemand muss sich mit dem Link dafür hinsetzen, bevor du beginnst.',
  'This game needs a game master: you are it.': 'Dieses Spiel braucht eine Spielleitung: Das bist du.',
  'This is me': 'Das bin ich',
  'This is me on a new phone': 'Das bin ich auf einem neuen Handy',
  'This is no file of a profile, or it is damaged.': 'Das ist keine Profildatei, oder sie ist beschädigt.',
  'This is no link to a table: it has the form ADDRESS/t/TABLE#ROLE.SECRET; copy it whole.':
    'Das ist kein Link zu einem Tisch: Er hat die Form ADRESSE/t/TISCH#ROLLE.GEHEIMNIS; kopiere ihn ganz.',
  'This is not a whole link': 'Dieser Link ist nicht ganz',
  'This is the installed page. iPhones and iPads keep it apart from the browser. If you have played there, bring in your file here, or play on in the browser.':
    'Das ist die installierte Seite. iPhones und iPads trennen sie vom Browser. Wenn du dort schon gespielt hast, hol deine Datei hierher, oder spiel im Browser weiter.',
  'This is you from now on. The file is used up: save a new one.': 'Das bist du von jetzt an. Die Datei ist verbraucht: Sichere eine neue.',
  'This key took the place of an earlier one of yours. People who count seasons or keep a roster need to know:':
    'Du hattest vorher einen anderen Schlüssel. Wer eine Saison auswertet oder eine Teilnehmerliste führt, muss das wissen:',
  'This link is for a {role}.': 'Dieser Link ist für: {role}.',
  'This page could not start: {problem}': 'Diese Seite konnte nicht starten: {problem}',
  'This page takes part by itself: it made your key and keeps it, checks every line, and gives your part in each roll. It signs anything else only when you tap a button that says what is signed.':
    'Sie nimmt selbst teil: Dein Schlüssel wurde hier gemacht und bleibt hier, jede Zeile wird hier geprüft, und dein Teil an den Würfeln wird von selbst gegeben. Alles andere unterschreibst du mit einem Tipp auf eine Taste, die sagt, was unterschrieben wird.',
  'This part cannot be shown: {problem}. What was rolled is checked, and can be saved, all the same.':
    'Dieser Teil lässt sich nicht zeigen: {problem}. Was gewürfelt wurde, ist trotzdem geprüft und lässt sich sichern.',
  'This seat, or a later one, is here already: a file is taken once.':
    'Dieser Platz oder ein späterer ist schon hier: Eine Datei wird einmal genommen.',
  'This server is called {name}.': 'Dieser Server heißt {name}.',
  'This server makes no closed games public.': 'Dieser Server macht keine beendeten Spiele öffentlich.',
  'This server names no games.': 'Dieser Server gibt keine Spiele bekannt.',
  'This server offers no judge of its own.': 'Dieser Server bietet keinen eigenen Schiedsrichter.',
  'This server posts no results anywhere.': 'Dieser Server veröffentlicht nirgends Ergebnisse.',
  'This table cannot be opened': 'Dieser Tisch lässt sich nicht öffnen',
  'This table was deleted': 'Dieser Tisch wurde gelöscht',
  'Those whom I name, and the server. If all of these worked together, they could choose dice. The others trust that one of them is honest; the pages of the others need not be open.':
    'Wen ich nenne, und der Server: Machten alle diese gemeinsame Sache, könnten sie Würfel wählen. Die anderen vertrauen darauf, dass einer von ihnen ehrlich ist; ihre Seiten müssen nicht offen sein.',
  Title: 'Titel',
  'To the content': 'Zum Inhalt',
  'To the first page': 'Zur ersten Seite',
  'Type a name first.': 'Gib zuerst einen Namen ein.',
  'Verify a saved log in this browser': 'Ein gesichertes Protokoll in diesem Browser prüfen',
  'Wait for them': 'Auf die Person warten',
  'What all agree to before the first roll: the game, and who has a part in the dice. They cannot change afterwards.':
    'Worauf sich alle vor dem ersten Wurf einigen: das Spiel, und wer an den Würfeln teilhat. Danach ändern sie sich nicht mehr.',
  'What the words mean': 'Was die Wörter bedeuten',
  'When the game has begun, I can still let somebody in: {roles}': 'Auch wenn das Spiel begonnen hat, kann ich noch jemanden hereinlassen: {roles}',
  'When the game is closed, everybody can read all of it at {address}: names, dice, and what they were for. Copies that people made stay with them, even if the table is deleted.':
    'Ist das Spiel zu Ende, kann es jeder ganz lesen, auf {address}: Namen, Würfel und wofür gewürfelt wurde. Wer es kopiert hat, behält es, auch wenn der Tisch gelöscht wird.',
  'Who has a part in a roll': 'Wer an einem Wurf teilhat',
  You: 'Du',
  'You can look on, and everything is checked here all the same. To play, open the link in another browser.':
    'Du kannst zuschauen, und alles wird hier trotzdem geprüft. Zum Mitspielen öffne den Link in einem anderen Browser.',
  'You have one key at all tables of this server. Anybody with two logs sees that you are the same person. For a table you can choose a separate key there.':
    'Du hast einen Schlüssel an allen Tischen dieses Servers. Wer zwei Protokolle hat, sieht, dass du dieselbe Person bist; einen eigenen Schlüssel für einen Tisch wählst du dort.',
  'You sit down as the game master; another seat is below More. Only you see such dice until you show them. Nothing in the game depends on them. The log counts the rolls that are not shown.':
    'Du setzt dich als Spielleitung; einen anderen Platz wählst du unter Mehr. Solche Würfel gehören dir allein, bis du sie zeigst; an ihnen hängt nichts im Spiel, und das Protokoll zählt, was nicht gezeigt ist.',
  'You will be called {text}. The log also has the name of your key: {name}.':
    'Du wirst {text} heißen. Im Protokoll steht auch der Name deines Schlüssels: {name}.',
  'Your key is made in this browser and stays in it. With a passphrase you can move the seat to another browser, once. The passphrase is used here only, and is sent nowhere.':
    'Dein Schlüssel wird in diesem Browser gemacht und bleibt darin. Mit einer Passphrase kannst du den Platz einmal in einen anderen mitnehmen. Sie wird hier gestreckt und nirgendwohin geschickt.',
  'Your name at this table': 'Dein Name an diesem Tisch',
  'Your place at the table. Its key was made in this browser and stays there.':
    'Dein Platz am Tisch. Sein Schlüssel wurde in diesem Browser gemacht und bleibt dort.',
  'a file, for when this browser is lost': 'eine Datei, falls dieser Browser verloren geht',
  all: 'alle',
  away: 'kurz weg',
  'called off': 'abgebrochen',
  'choose…': 'wählen …',
  'code of the table': 'Code des Tischs',
  'deleted from the server': 'vom Server gelöscht',
  'dice checked here, result by the server': 'Würfel hier geprüft, Ergebnis vom Server',
  'die {number}:': 'Würfel {number}:',
  'fair ✓': 'fair ✓',
  'game master': 'Spielleitung',
  judge: 'Schiedsrichter',
  keeper: 'Protokollführer',
  'leave out': 'weglassen',
  link: 'Link',
  log: 'Protokoll',
  'must be a kind': 'muss eine Art sein',
  'must be an object': 'muss ein Objekt sein',
  'my seat, links, whose dice, who comes later': 'mein Platz, Links, wessen Würfel, wer später kommt',
  no: 'nein',
  'none: I only open it': 'keinen: Ich eröffne ihn nur',
  'not found here': 'hier nicht gefunden',
  'not started; {count} {count:sits|sit} there': 'nicht begonnen; {count} {count:sitzt|sitzen} dort',
  'number {number}': 'Nummer {number}',
  'one less: {what}': 'eins weniger: {what}',
  'one more': 'eins mehr',
  'one more: {what}': 'eins mehr: {what}',
  'opened by you': 'von dir eröffnet',
  'over; {events}': 'vorbei; {events}',
  'part in a roll': 'Teil an einem Wurf',
  player: 'Spieler',
  'remove number {number}': 'Nummer {number} entfernen',
  roll: 'Wurf',
  seat: 'Platz',
  server: 'Server',
  'something here is not as it was signed: look at it': 'hier ist etwas nicht so, wie es unterschrieben wurde: Sieh es dir an',
  spectator: 'Zuschauer',
  'started: waits for you to agree': 'begonnen: wartet auf deine Zustimmung',
  'such as {example}': 'etwa {example}',
  'such as {example}; several, one a line': 'etwa {example}; mehrere, eins je Zeile',
  table: 'Tisch',
  terms: 'Bedingungen',
  'to be nobody known, or to move later': 'um unbekannt zu bleiben oder den Platz später zu übertragen',
  witness: 'Zeuge',
  yes: 'ja',
  '{count} of these: {chosen} chosen': '{count} davon: {chosen} gewählt',
  '{count} s': '{count} s',
  '{hours} h {minutes} min': '{hours} h {minutes} min',
  '{least} to {most}': '{least} bis {most}',
  '{least} to {most} of these: {chosen} chosen': '{least} bis {most} davon: {chosen} gewählt',
  '{minutes} min {seconds} s': '{minutes} min {seconds} s',
  '{name} is no name.': '{name} ist kein Name.',
  '{problem} (clause {clause})': '{problem} (Regel {clause})',
};
