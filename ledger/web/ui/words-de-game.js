/**
 * The German of what a table shows besides: made by `python -m tests.make.words` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const GERMAN = {
  '(something waits for you)': '(etwas wartet auf dich)',
  '(you)': '(du)',
  ', ': ', ',
  '. ': '. ',
  '; ': '; ',
  'A commit to a new seed chain gave away a link of this one, so this one is used up. Commit again.':
    'Ein Glied deiner Seed-Kette wurde beim Festlegen einer neuen weggegeben: Es ist verbraucht, und du legst noch einmal fest.',
  'A correction cannot make a die count. Give its number to the die that counts, or void the roll.':
    'Ein Würfel, der nicht zählt, zählt auch durch eine Korrektur nicht: Gib dem Würfel, der zählt, seine Zahl, oder erkläre den Wurf für ungültig.',
  'A judge cannot name {keeper}, the keeper, as missing, because it opens last. If it does not open, the table goes on in another game.':
    'Der Abbruch durch den Schiedsrichter nennt {keeper} nicht, den Server, der zuletzt offenlegt: Legt er nicht offen, geht es in einem anderen Spiel weiter.',
  'A judge has let this phone in: it joins the game by itself.':
    'Ein Schiedsrichter hat dieses Telefon hereingelassen: Es tritt dem Spiel von selbst bei.',
  'A judge ruled it void: nothing comes of it.': 'Der Schiedsrichter hat ihn für ungültig erklärt: Nichts folgt daraus.',
  'A judge who sits here can: {names}.': 'Ein Schiedsrichter, der hier sitzt, kann es: {names}.',
  'A knock when dice come': 'Ein Klopfen, wenn Würfel fallen',
  'A link is a secret: anybody who has it can use it. The part after # is never sent to the server.':
    'Ein Link ist ein Geheimnis: Wer ihn hat, kann ihn benutzen. Was hinter # steht, geht nie an den Server.',
  'A name has 1 to 32 letters a–z, digits, dots, underscores and hyphens, and begins with a letter or a digit.':
    'Ein Name hat 1 bis 32 Buchstaben a–z, Ziffern, Punkte, Unter- und Bindestriche und beginnt mit einem Buchstaben oder einer Ziffer.',
  'A roll waits for everybody who has a part in it, however long. If somebody cannot come back, the person who gives the last part can call the roll off before giving it. A judge can too. Otherwise the game ends there.':
    'Ein Wurf wartet auf alle, die einen Teil daran haben, egal wie lange. Kann jemand nicht zurückkommen, kann ihn abbrechen, wer den letzten Teil gibt, solange der fehlt, oder ein Schiedsrichter; sonst endet das Spiel dort.',
  'A roll waits: it will be left without dice. Close the game for everybody?':
    'Ein Wurf wartet noch: Er bleibt ohne Würfel. Das Spiel für alle beenden?',
  'A roll waits: nobody can leave before it is over or called off.': 'Ein Wurf wartet: Niemand kann gehen, bevor er vorbei oder abgebrochen ist.',
  'A ruling is not taken back. Rule on the roll itself: the latest correction of its dice counts.':
    'Eine Entscheidung wird nicht zurückgenommen. Entscheide über den Wurf selbst: Die letzte Berichtigung seiner Würfel gilt.',
  'A window for plugins': 'Ein Fenster für Plugins',
  'About this: {author}, {what} ({time}).': 'Hierzu: {author}, {what} ({time}).',
  'About this: {author}, {what}: {faces} ({time}).': 'Hierzu: {author}, {what}: {faces} ({time}).',
  'After a mis-tap, all who play can together take back the latest roll, before anything is played on it. Its dice stay in sight, and the log shows who agreed.':
    'Nach einem Fehltipp können alle, die spielen, den letzten Wurf gemeinsam zurücknehmen, bevor etwas darauf gespielt wird. Seine Würfel bleiben sichtbar, und das Protokoll zeigt, wer zugestimmt hat.',
  'After {count} {count:event|events}: {what}.': 'Nach {count} {count:Ereignis|Ereignissen}: {what}.',
  'Agree to the terms, and ask to come in': 'Den Bedingungen zustimmen und um Einlass bitten',
  'Agree to these terms and play as {name}': 'Diesen Bedingungen zustimmen und als {name} spielen',
  'Agree to {name}': '{name} zustimmen',
  'All others together can then sign away the people it named, until they are back, and go on.':
    'Wen er dann genannt hat, können alle anderen gemeinsam abmelden, bis er zurück ist, und weiterspielen.',
  'All terms': 'Alle Bedingungen',
  'An opening came in the name of {author}, and it does not hold ({code}). It has no effect. If the roll waits, ask {author}.':
    'Im Namen von {author} kam eine Offenlegung, die nicht stimmt ({code}). Sie hat keine Folgen; wartet der Wurf, frag {author}.',
  'Another tab of this browser follows this table, and does not pass on what comes. This tab shows nothing new. Close the other tabs of this table.':
    'Ein anderer Tab dieses Browsers verfolgt diesen Tisch und gibt hierher nichts weiter: Was kommt, ist hier nicht zu sehen. Schließ die anderen Tabs dieses Tischs.',
  'Another tab of this browser holds this seat, and does not give it back. This tab signs and opens nothing. Close the other tabs of this table.':
    'Ein anderer Tab dieses Browsers hat diesen Platz und gibt ihn nicht her: Hier wird nichts unterschrieben oder offengelegt. Schließ die anderen Tabs dieses Tischs.',
  'Anybody who opens it asks {host} to be let in.': 'Wer ihn öffnet, bittet {host} um Einlass.',
  'As a file that shows it': 'Als Datei, die ihn zeigt',
  'As soon as you sit in the game, have agreed to its terms, and it has begun, that page can ask you to roll.':
    'Sobald du im Spiel sitzt, seinen Bedingungen zugestimmt hast und es begonnen hat, kann die Seite dich bitten zu würfeln.',
  'Away: {names}.': 'Abgemeldet: {names}.',
  'Before the next roll the page of {names} has to prepare for it, and {names} is not here. The others can go on without {names}, until {names} is back.':
    'Vor dem nächsten Wurf muss die Seite von {names} ihn vorbereiten, und {names} ist nicht da. Die anderen können ohne {names} weiterspielen, bis {names} wieder da ist.',
  'Before the roll was asked for, {holder} had fixed a secret for it, which nobody else knows. The dice follow from this secret and from a secret of each of {names}. So only {holder} knows the dice, and {holder} cannot change them.':
    'Bevor er verlangt wurde, hatte {holder} ein Geheimnis dafür festgelegt, das niemand sonst kennt: Daraus und aus je einem Geheimnis von {names} ergeben sich die Würfel. So kennt {holder} allein sie und kann nichts daran ändern.',
  'Before this roll {names} each fixed a chain of secrets: nobody can change it afterwards, and nobody else knows it.':
    'Vor diesem Wurf hat jeder von {names} eine Kette von Geheimnissen festgelegt: Niemand kann sie danach ändern, und niemand sonst kennt sie.',
  'Behind my screen': 'Hinter meinem Schirm',
  'Being worked out…': 'Wird ausgerechnet …',
  'By hand': 'Von Hand',
  'Call this roll off': 'Diesen Wurf abbrechen',
  'Call this roll off, as judge': 'Diesen Wurf abbrechen, als Schiedsrichter',
  'Call this roll off; it waits for {names}': 'Diesen Wurf abbrechen; er wartet auf {names}',
  'Choose it in the log': 'Im Protokoll wählen',
  'Close the game': 'Das Spiel beenden',
  'Close the game for everybody?': 'Das Spiel für alle beenden?',
  'Code of the table': 'Code des Tischs',
  'Connected with {origin}': 'Verbunden mit {origin}',
  Correct: 'Berichtigen',
  'Corrected by the judge {judge}, {dice}: {reason}': 'Von {judge} (Schiedsrichter) berichtigt, {dice}: {reason}',
  Delete: 'Löschen',
  'Delete it from the server': 'Vom Server löschen',
  'Delete this game from the server, for everybody?': 'Dieses Spiel vom Server löschen, für alle?',
  Dice: 'Würfel',
  'Dice with plus, minus, keep and drop, such as {example} or 4d6kh3; without rerolls and explosions. What they are for stands below.':
    'Würfel mit Plus, Minus, Behalten und Weglassen, etwa {example} oder 4d6kh3; ohne Neuwürfe und Explosionen. Wofür sie sind, steht darunter.',
  'Dice: everybody at the table except judges has a part in every roll, and so has the server. A roll waits for anybody who is not there.':
    'Würfel: Alle am Tisch außer Schiedsrichtern haben an jedem Wurf teil, und auch der Server. Wer nicht da ist, lässt einen Wurf warten.',
  'Dice: only {names} have a part in every roll. If all of these worked together, they could choose dice. The others need not be there.':
    'Würfel: {names} haben an jedem Wurf teil und sonst niemand: Machten alle diese gemeinsame Sache, könnten sie Würfel wählen. Die anderen müssen nicht da sein.',
  'Dice: the person who rolls, the server and the witnesses have a part in a roll; the others need not be there.':
    'Würfel: Wer würfelt, der Server und Zeugen haben an einem Wurf teil; die anderen müssen nicht da sein.',
  'Did you have a seat here? Its keys were only in this browser. If you or the browser cleared the site’s data, those keys are gone. Go on with a new one, as above, and tell the others without using this server.':
    'Hattest du hier einen Platz? Seine Schlüssel waren nur in diesem Browser. Wurden die Daten der Seite gelöscht, von dir oder vom Browser, sind sie weg: Mach mit einem neuen weiter, wie oben, und sag es den anderen auf anderem Weg.',
  Disconnect: 'Trennen',
  'Each entry of the log has a button “Rule” for what is ruled about it.':
    'Jeder Eintrag des Protokolls hat eine Taste „Entscheiden“ für das, was über ihn entschieden wird.',
  'End the game': 'Das Spiel beenden',
  'Event {request} is not a secret roll that you hold and have not shown.':
    'Ereignis {request} ist kein geheimer Wurf, den du hast und noch nicht gezeigt hast.',
  'Event {seq} breaks the rules of the game, but the server shows it as part of the game: {problem}':
    'Ereignis {seq} verstößt gegen die Regeln des Spiels, und der Server zeigt es als Teil davon: {problem}',
  'Event {seq} has no dice that everybody could see.': 'Ereignis {seq} hat keine Würfel, die alle sehen konnten.',
  'Event {seq} is no roll.': 'Ereignis {seq} ist kein Wurf.',
  "Event {seq}, {type}, has an opening by {me}'s key that {me} did not make in this browser. Either somebody else has the key and the seeds, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.":
    'Ereignis {seq}, {type}, hat eine Offenlegung mit dem Schlüssel von {me}, die {me} nicht in diesem Browser gemacht hat. Jemand anderes hat Schlüssel und Seeds, oder das Gedächtnis dieses Browsers ging verloren. In diesem Spiel wird nichts mehr unterschrieben oder offengelegt: Sag es den anderen auf anderem Weg, und wer richtet.',
  "Event {seq}, {type}, is signed with {me}'s key, but not by {me} in this browser. Either somebody else has the key, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.":
    'Ereignis {seq}, {type}, ist mit dem Schlüssel von {me} unterschrieben, aber nicht von {me} in diesem Browser. Jemand anderes hat den Schlüssel, oder das Gedächtnis dieses Browsers ging verloren. In diesem Spiel wird nichts mehr unterschrieben oder offengelegt: Sag es den anderen auf anderem Weg, und wer richtet.',
  'Every event': 'Jedes Ereignis',
  'Every natural counts here, ignored and rerolled ones too, under the player who asked for it. These counts convict nobody: honest dice are uneven too, and few dice cannot show a small bias. Among many counts, some always look unusual.':
    'Jedes Würfelergebnis zählt hier, auch ignorierte und neu gewürfelte, bei dem, der den Wurf verlangt hat. Diese Zahlen überführen niemanden: Auch ehrliche Würfel fallen ungleich, und wenige Würfel zeigen keine kleine Schieflage. Wer vieles ansieht, findet etwas Ungewöhnliches.',
  Everybody: 'Alle',
  'Everybody at the table has a part in every roll.': 'Alle am Tisch haben an jedem Wurf teil.',
  'Everybody has had a part in the roll: the server shows the dice next.':
    'Alle haben ihren Teil zum Wurf gegeben: Gleich zeigt der Server die Würfel.',
  'Everybody is here.': 'Alle sind da.',
  'Everything else': 'Alles Übrige',
  'Fair: {names} each had a part in it, {others} had none; this browser has checked it.':
    'Fair: {names} hatten alle teil daran, {others} nicht; dieser Browser hat es geprüft.',
  'Fair: {names} each had a part in it; this browser has checked it.': 'Fair: {names} hatten alle teil daran; dieser Browser hat es geprüft.',
  'First your page shows the opening that was called missing.': 'Zuerst zeigt deine Seite den Teil, der als fehlend gemeldet wurde.',
  'For {size} {size:event|events} the code here is {code}. Ask for theirs again, for the same number. If every digit is right, they were shown another history: save both logs, and compare them with rollproof compare.':
    'Bei {size} {size:Ereignis|Ereignissen} ist der Code hier {code}. Frag noch einmal nach dem der anderen, bei ebenso vielen. Stimmt jede Ziffer, wurde ihnen eine andere Geschichte gezeigt: Sichert beide Protokolle und vergleicht sie mit rollproof compare.',
  'For {time}.': 'Seit {time}.',
  'From now on this browser signs and opens nothing in this game. Move?':
    'Ab jetzt unterschreibt dieser Browser in diesem Spiel nichts mehr und legt nichts mehr offen. Übertragen?',
  'Go on without {names}': 'Ohne {names} weiterspielen',
  'I am back': 'Ich bin wieder da',
  'I am back, and accept them': 'Ich bin wieder da und nehme sie an',
  'I have read this': 'Gelesen',
  'I was here, and my browser is lost': 'Ich war hier, und mein Browser ist verloren',
  'I was {name} here': 'Ich war hier {name}',
  'If a judge is to call the roll off, tap this first: then your part stays not given, and nobody can know the dice.':
    'Soll ein Schiedsrichter den Wurf abbrechen, tippe zuerst hierauf: Dann bleibt dein Beitrag aus, und niemand kann die Würfel kennen.',
  'If somebody opens this link, their browser checks the roll. The link shows that these dice were fair, and nothing about other rolls.':
    'Wer diesen Link öffnet, dessen Browser prüft den Wurf. Er zeigt, dass diese Würfel fair waren, und nichts von anderen Würfen.',
  'If this browser is lost, a file makes you a new key, and shows that it is yours: for a season, a league, the same friends. It signs in no game.':
    'Geht dieser Browser verloren, macht dir eine Datei einen neuen Schlüssel und zeigt, dass es deiner ist: für eine Saison, eine Liga, dieselben Freunde. Sie unterschreibt in keinem Spiel.',
  'In place of the roll that {judge} ruled void': 'Anstelle des Wurfs, den {judge} für nichtig erklärt hat',
  Invite: 'Einladen',
  'It gives it by itself when the others have.': 'Es gibt ihn von selbst, wenn die anderen es getan haben.',
  'It goes on there. Here you look on.': 'Es geht dort weiter. Hier schaust du zu.',
  'It is not known whether {keeper}, the keeper, has taken event {seq} of {author}. Until it has, nothing is signed after it.':
    'Von {keeper}, dem Server, ist nicht bekannt, dass er Ereignis {seq} von {author} angenommen hat: Bis dahin wird darauf nichts unterschrieben.',
  'It is not known whether {keeper}, the keeper, has taken the request. You open when its checkpoint is here.':
    'Von {keeper}, dem Server, ist nicht bekannt, dass er die Anfrage angenommen hat: Dein Teil kommt, wenn sein Checkpoint dafür da ist.',
  'It is your turn: {choice}.': 'Du bist dran: {choice}.',
  'It sees the rolls of this table, and asks here when you are to roll.':
    'Sie sieht die Würfe dieses Tisches und fragt hier, wenn du würfeln sollst.',
  'It signs and opens nothing more here. A judge can take it out, or the table goes on in a new game.':
    'Hier wird nichts mehr unterschrieben oder offengelegt. Ein Schiedsrichter kann den Platz herausnehmen, oder es geht in einem neuen Spiel weiter.',
  'It takes effect when all who have a say in it have said so too. Still missing: {others}.':
    'Das gilt, wenn alle, die dabei mitentscheiden, es auch gesagt haben. Noch fehlen: {others}.',
  'It takes effect when the server finds that {name} is gone: the latest roll was called off because {name} did not open, and {name} has not been connected for 15 seconds.':
    'Das gilt, sobald der Server feststellt, dass {name} weg ist: Der letzte Wurf wurde abgebrochen, weil {name} nicht geöffnet hat, und {name} ist seit 15 Sekunden nicht verbunden.',
  'It was called off, before the dice could be known. The secrets for it are used up, and the same roll is owed.':
    'Er wurde abgebrochen, bevor die Würfel bekannt sein konnten. Die Geheimnisse dafür sind verbraucht, und derselbe Wurf ist fällig.',
  'It was rolled behind the screen; {holder} chose to show it.': 'Er wurde hinter dem Schirm gewürfelt; {holder} hat ihn gezeigt.',
  'It would see the rolls of one table of yours from now on, with names, and may ask you to roll.':
    'Die Seite würde von jetzt an die Würfe eines deiner Tische sehen, mit Namen, und darf dich bitten zu würfeln.',
  'Its address is not secure (http): anybody on its network can pose as that page.':
    'Ihre Adresse ist nicht gesichert (http): Wer in ihrem Netz ist, kann sich als diese Seite ausgeben.',
  'Its dice, by number: {dice}. “1=6” says that die 1 counts as 6; without dice the ruling is in words alone.':
    'Seine Würfel, mit Nummer: {dice}. „1=6“ heißt: Würfel 1 zählt als 6; ohne Würfel gilt nur der Text.',
  'Its event 0 is not that of the game that was shown.': 'Sein Ereignis 0 ist nicht das des Spiels, das gezeigt wurde.',
  'Keep yourself safe?': 'Dein Profil sichern?',
  'Leave the game for good? Nobody can let you back in.': 'Das Spiel endgültig verlassen? Niemand kann dich wieder hereinlassen.',
  'Let {name} go on': '{name} weitermachen lassen',
  'Let {name} in': '{name} hereinlassen',
  'Let {name} read out the code of the new key. This one’s is {code}.':
    'Lass dir von {name} den Code des neuen Schlüssels vorlesen. Der Code von diesem ist {code}.',
  'Line {seq} that the server sent does not hold: {problem}': 'Zeile {seq}, die der Server geschickt hat, stimmt nicht: {problem}',
  'Lines that begin with $ are for a shell with openssl 3, xxd and sed. Their output ends with the line below.':
    'Was mit $ beginnt, ist für eine Shell mit openssl 3, xxd und sed; es endet mit dem, was darunter steht.',
  'Link for a judge': 'Link für einen Schiedsrichter',
  'Link for a witness': 'Link für einen Zeugen',
  'Link for players': 'Link für Spieler',
  'Link for spectators': 'Link für Zuschauer',
  'Link for the game master': 'Link für die Spielleitung',
  'Load the rules (6 MB)': 'Regeln laden (6 MB)',
  Log: 'Protokoll',
  Luck: 'Glück',
  'Make a new one, which ends this': 'Einen neuen machen, der diesen beendet',
  'Make that roll first': 'Erst diesen Wurf machen',
  'Move this seat': 'Diesen Platz übertragen',
  'Move this seat to another device': 'Diesen Platz auf ein anderes Gerät übertragen',
  No: 'Nein',
  'No dice yet.': 'Noch keine Würfel.',
  'No dice yet. As soon as somebody rolls, they are seen here.': 'Noch keine Würfel. Sobald jemand würfelt, sind sie hier zu sehen.',
  'No dice yet. First comes what stands below.': 'Noch keine Würfel. Zuerst kommt, was unten steht.',
  'No dice yet. Roll below: everybody sees them here at once.': 'Noch keine Würfel. Würfle unten: Alle sehen sie hier sofort.',
  'No dice yet. What the players roll is seen here.': 'Noch keine Würfel. Was die Spieler würfeln, ist hier zu sehen.',
  'No dice yet: {count} must still agree.': 'Noch keine Würfel: Es fehlt die Zustimmung von {count} Personen.',
  'No dice yet: {names} must still agree.': 'Noch keine Würfel: Es fehlt die Zustimmung von {names}.',
  'No dice: it was called off before they were shown.': 'Keine Würfel: Er wurde abgebrochen, bevor sie gezeigt wurden.',
  'No dice: the game was closed while it waited.': 'Keine Würfel: Das Spiel wurde beendet, während er wartete.',
  'No roll waits for dice in this game.': 'In diesem Spiel wartet kein Wurf auf Würfel.',
  'Nobody asks with this key any more.': 'Mit diesem Schlüssel bittet niemand mehr um Einlass.',
  'Nobody can roll without {names}': 'Ohne {names} kann niemand würfeln',
  'Nobody else sits here yet: send the link first.': 'Sonst sitzt noch niemand hier: Schick zuerst den Link.',
  'Nobody here is called {name}.': 'Niemand hier heißt {name}.',
  'Nobody sits here with the key {key}.': 'Niemand sitzt hier mit dem Schlüssel {key}.',
  'Nobody yet.': 'Noch niemand.',
  'Not connected any more': 'Nicht mehr verbunden',
  'Not now': 'Jetzt nicht',
  'Not rolled yet: it waits for everybody’s part.': 'Noch nicht gewürfelt: wartet auf den Teil von allen.',
  'Not the same.': 'Nicht gleich.',
  'Not {name}?': 'Nicht {name}?',
  'Nothing in the game depends on such a roll: it is a record. The log counts those that are not shown.':
    'An einem solchen Wurf hängt nichts im Spiel: Er ist eine Aufzeichnung, und das Protokoll zählt die, die nicht gezeigt sind.',
  'Nothing is signed unless you tap for it here. No key of yours leaves this browser.':
    'Nichts wird unterschrieben, wofür du nicht hier tippst. Keiner deiner Schlüssel verlässt diesen Browser.',
  'Nothing that you opened was called missing.': 'Nichts von dem, was du gegeben hast, wurde als fehlend gemeldet.',
  'Nothing was signed: the step before is not over. When it is, choose again.':
    'Nichts wurde unterschrieben: Was vorher kam, ist noch nicht vorbei. Wähle danach noch einmal.',
  'Nothing yet.': 'Noch nichts.',
  Now: 'Jetzt',
  'Number {number}': 'Nummer {number}',
  'One moment: read first.': 'Einen Moment: erst lesen.',
  'Only after that did each give one secret, signed for this roll and no other. All secrets together make the dice, so nobody could choose or predict them unless all of {names} worked together.':
    'Erst dann hat jeder ein Geheimnis hergegeben, unterschrieben für diesen Wurf und keinen anderen. Alle Geheimnisse zusammen ergeben die Würfel; also konnte sie niemand wählen oder vorhersagen, es sei denn, {names} hätten alle gemeinsame Sache gemacht.',
  'Only the host of this table can do this, in the browser where it was opened.':
    'Das kann nur der Gastgeber dieses Tischs, in dem Browser, in dem er eröffnet wurde.',
  'Only the link for spectators works here: an address that others may see must not give a seat.':
    'Hier geht nur der Link für Zuschauer: Mit einer Adresse, die andere sehen können, darf niemand Platz nehmen.',
  'Only the server says so: nobody has asked with a link of this table. It may be the server’s own doing. Do not agree before you have asked {name} and {host}.':
    'Das sagt nur der Server: Niemand hat mit einem Link dieses Tisches gefragt. Es kann die Hand des Servers selbst sein. Stimm nicht zu, bevor du {name} und {host} gefragt hast.',
  'Only you can know whether these are the people to whom you sent the link: look at their names.':
    'Ob das die Leute sind, denen du den Link geschickt hast, weißt nur du: Sieh dir ihre Namen an.',
  'Only you see these. If you show some, the log says how many others are not shown. A file shows the same to anybody who has the log, even after the game.':
    'Nur du siehst sie. Zeigst du einige, steht im Protokoll, wie viele andere nicht gezeigt sind. Eine Datei zeigt dasselbe allen, die das Protokoll haben, auch nach dem Spiel.',
  'Only you see this': 'Nur du siehst das',
  'Open the table itself': 'Den Tisch selbst öffnen',
  'Opened by {host}. These terms are signed, and cannot change any more.':
    'Eröffnet von {host}. Diese Bedingungen sind unterschrieben und können sich nicht mehr ändern.',
  'Or a short link, which this server keeps until you take it back. A chat shows its dice as a picture. Everybody at the table can see that the roll is published. Without names, the page shows no names, but the proof in it has them.':
    'Oder ein kurzer Link, den dieser Server behält, bis du ihn zurücknimmst. Ein Chat zeigt die Würfel als Bild. Alle am Tisch können sehen, dass der Wurf veröffentlicht ist. Ohne Namen zeigt die Seite keine, aber im Beweis darin stehen sie.',
  'Other links': 'Andere Links',
  'Parts of this page': 'Teile dieser Seite',
  Penalty: 'Strafe',
  'Play again: a new table like this one': 'Noch einmal spielen: ein neuer Tisch wie dieser',
  'Publish it under a short link, with names': 'Unter einem kurzen Link veröffentlichen, mit Namen',
  'Publish it under a short link, without names': 'Unter einem kurzen Link veröffentlichen, ohne Namen',
  'QR code of the link for players': 'QR-Code des Links für Spieler',
  'Read it to the others without using this server: aloud, or in a chat. People with the same code for the same number of events see the same log.':
    'Lies ihn den anderen auf einem anderen Weg als über diesen Server vor: laut oder in einem Chat. Wer bei gleich vielen Ereignissen denselben Code hat, sieht dasselbe Protokoll.',
  'Reroll the {faces}': 'Die {faces} neu würfeln',
  Results: 'Ergebnisse',
  Roll: 'Würfeln',
  'Roll behind the screen': 'Hinter dem Schirm würfeln',
  'Roll blind: only the game master sees the dice': 'Blind würfeln: nur die Spielleitung sieht die Würfel',
  'Roll {what}': 'Würfeln: {what}',
  'Roll: only I see it': 'Würfeln: nur ich sehe es',
  'Roll: only {name} sees it': 'Würfeln: nur {name} sieht es',
  Rolls: 'Würfe',
  'Rolls behind a screen are left out: {rolls}.': 'Würfe hinter einem Schirm sind nicht mitgezählt: {rolls}.',
  'Rolls that were made without somebody, who has not accepted them: {count}. Their dice are not counted here.':
    'Würfe, die ohne jemanden gemacht wurden, der sie nicht angenommen hat: {count}. Ihre Würfel zählen hier nicht.',
  'Rolls that were made without you: {count}. They are marked so, and count in no luck and no season until you accept them.':
    'Würfe, die ohne dich gemacht wurden: {count}. So sind sie gekennzeichnet, und sie zählen bei keinem Glück und in keiner Saison, bis du sie annimmst.',
  Rule: 'Entscheiden',
  'Rule on {what}': 'Entscheiden über {what}',
  'Rulings, called off': 'Entscheidungen, Abbrüche',
  Save: 'Sichern',
  'Save it as a file': 'Als Datei speichern',
  'Save the evidence of it': 'Die Beweise dafür sichern',
  'Save the log': 'Das Protokoll sichern',
  'Save the story': 'Die Geschichte sichern',
  'Saved among your downloads: {files}. Send that to the people who are to check the game, with this address: {address}':
    'Gesichert bei deinen Downloads: {files}. Schick das an alle, die das Spiel prüfen sollen, mit dieser Adresse: {address}',
  'Show everybody: {what}': 'Allen zeigen: {what}',
  'Show everything again': 'Wieder alles zeigen',
  'Show it as a QR code': 'Als QR-Code zeigen',
  'Show more ({count} left)': 'Mehr zeigen (noch {count})',
  'Show the dice alone': 'Nur die Würfel zeigen',
  'Show the names': 'Namen zeigen',
  'Show this roll to somebody': 'Diesen Wurf jemandem zeigen',
  'Sit down': 'Platz nehmen',
  'Somebody asks to go on as you, in a new browser. As long as you are here, this has no effect. If that is not you, tell the others.':
    'Jemand will als du weitermachen, in einem neuen Browser. Solange du da bist, wird nichts daraus. Bist du das nicht, sag es den anderen.',
  'Somebody asks to go on as you, in a new browser. If that is not you, say that you are back: then this has no effect.':
    'Jemand will als du weitermachen, in einem neuen Browser. Bist du das nicht, sag, dass du zurück bist: Dann wird nichts daraus.',
  'Somebody comes': 'Jemand kommt',
  'Somebody else is called {name} at this table: choose another name.': 'An diesem Tisch heißt schon jemand {name}: Wähle einen anderen Namen.',
  'Somebody is away, back, or leaves': 'Jemand ist weg, wieder da oder geht',
  'Somebody was faster, and this may mean something else now. If you still want it, tap again.':
    'Jemand war schneller, und das kann jetzt etwas anderes bedeuten. Wenn du es noch willst, tippe noch einmal.',
  'Somebody who sits here by a link that was ended keeps the seat, until you take it away.':
    'Wer hier mit einem beendeten Link sitzt, behält den Platz, bis du ihn wegnimmst.',
  'Somebody with the link claims to be {name}, in a new browser. Ask {name} without using this server: the new browser gets everything that is {name}’s. All others, two or more, must agree, and the log names them.':
    'Jemand mit dem Link sagt, {name} zu sein, in einem neuen Browser. Frag {name} auf anderem Weg: Wer weitermacht, hat alles, was {name} gehört. Alle anderen, zwei oder mehr, müssen zustimmen, und das Protokoll nennt sie.',
  'Start with {names}': 'Mit {names} beginnen',
  'Start with {names}, and agree to the terms': 'Mit {names} beginnen und den Bedingungen zustimmen',
  'Start: nobody sits here yet': 'Beginnen: Noch sitzt niemand hier',
  'Start: waits for {names} to sit down; they have a part in every roll': 'Beginnen: wartet auf {names}, mit einem Teil an jedem Wurf',
  'Step by step, with lines to redo it by hand': 'Schritt für Schritt, mit Zeilen zum Nachrechnen',
  'Struck through: does not count.': 'Durchgestrichen: zählt nicht.',
  Table: 'Tisch',
  'Take a seat': 'Platz nehmen',
  'Take back the {dice}? Asked by: {names}.': '{dice} zurücknehmen? Gefragt von: {names}.',
  'Take no part in this roll': 'Zu diesem Wurf nichts mehr beitragen',
  'Take somebody out': 'Jemanden herausnehmen',
  'Take this link back': 'Diesen Link zurücknehmen',
  'Take this roll back': 'Diesen Wurf zurücknehmen',
  'Take {name} out': '{name} herausnehmen',
  'Take {name} out of the game for good?': '{name} endgültig aus dem Spiel nehmen?',
  'Tap dice to roll them again.': 'Tippe Würfel an, um sie neu zu würfeln.',
  'That page sent more than a plugin may send.': 'Die Seite hat mehr geschickt, als ein Plugin schickt.',
  'The body has something in it that no event can have.': 'Im Inhalt steht etwas, das kein Ereignis haben kann.',
  'The browser of {name} is lost, and {name} has a new one: the recovery key of {name} says so. It goes on there with everything that is {name}’s.':
    'Der Browser von {name} ist verloren, und {name} hat einen neuen: Das sagt der Wiederherstellungsschlüssel von {name}. Dort geht es mit allem weiter, was {name} gehört.',
  'The checkpoint that the server sent does not fit: {problem}.': 'Der Checkpoint, den der Server geschickt hat, passt nicht: {problem}.',
  'The code of your key, to read out to them: {code}': 'Der Code deines Schlüssels, zum Vorlesen für sie: {code}',
  'The dice': 'Die Würfel',
  'The dice alone, for a stream or a screen': 'Die Würfel allein, für einen Stream oder einen Bildschirm',
  'The dice are as this browser checked them. What they came to is as the server counted it. The log itself is the proof: {command} checks it.':
    'Die Würfel sind, wie dieser Browser sie geprüft hat; was sie ergaben, hat der Server gezählt. Der Beweis ist das Protokoll selbst: {command} prüft es.',
  'The dice are on their way…': 'Die Würfel sind unterwegs …',
  'The game has begun. Ask {host} to let you in.': 'Das Spiel hat begonnen. Bitte {host}, dich hereinzulassen.',
  'The game has not begun.': 'Das Spiel hat noch nicht begonnen.',
  'The game is over.': 'Das Spiel ist zu Ende.',
  'The game is over. Its log is whole, here and with everybody: save it, verify it.':
    'Das Spiel ist vorbei. Sein Protokoll ist vollständig, hier und bei allen: Sichere es, prüfe es.',
  'The game is over. No dice were rolled.': 'Das Spiel ist vorbei. Es wurde nicht gewürfelt.',
  'The game master may roll behind a screen. Only the game master sees such dice, and chooses whether to show them. Nothing in the game depends on them. The log counts the rolls that are not shown.':
    'Die Spielleitung darf hinter einem Schirm würfeln: Solche Würfel gehören ihr allein, und sie zeigt sie oder nicht. An ihnen hängt nichts im Spiel, und das Protokoll zählt, was nicht gezeigt ist.',
  'The game: {title}.': 'Das Spiel: {title}.',
  'The keeper has not signed over these dice yet: try again in a moment.':
    'Der Server hat diese Würfel noch nicht unterschrieben: Versuch es gleich noch einmal.',
  "The key of {name} is that of the server's keeper or judge.": 'Der Schlüssel von {name} ist der des Servers oder seines Schiedsrichters.',
  'The link to this roll': 'Der Link zu diesem Wurf',
  "The link's secret is not that of the table's {role} link: copy the link whole, or ask for a new one.":
    'Das Geheimnis im Link ist nicht das des Tischs für {role}: Kopiere den ganzen Link, oder bitte um einen neuen.',
  'The log': 'Das Protokoll',
  'The log names a new key for {name}, signed by the recovery key of {name}. This page sees nobody who asks for it with a link of this table: it may be the server’s own doing. When {name} is back, it has no effect.':
    'Das Protokoll nennt einen neuen Schlüssel für {name}, für den der Wiederherstellungsschlüssel von {name} unterschrieben hat. Hier ist niemand zu sehen, der mit einem Link dieses Tisches danach fragt: Es kann der Server selbst gewesen sein. Ist {name} wieder da, wird nichts daraus.',
  'The next roll waits again for the people it named, if they contribute.':
    'Auf wen er dann genannt hat, wartet der nächste Wurf wieder, wenn er beiträgt.',
  'The others are asked to let you go on as {name}: {names}. Talk to them without using this server, and leave this page open.':
    'Die anderen werden gefragt, ob du als {name} weitermachen darfst: {names}. Melde dich bei ihnen auf anderem Weg, und lass diese Seite offen.',
  'The others can go on without {names}, until {names} is back. The same roll is then owed, and its dice are new.':
    'Die anderen können ohne {names} weiterspielen, bis zur Rückkehr von {names}. Derselbe Wurf ist dann fällig, mit neuen Würfeln.',
  'The others go on without you. Your part in the dice begins again when you are back.':
    'Die anderen spielen ohne dich weiter. Dein Teil an den Würfeln beginnt wieder, wenn du zurück bist.',
  'The others see who you say you are. By this tap you agree to the terms, as you did before.':
    'Die anderen sehen, wer du zu sein sagst. Mit diesem Tipp stimmst du den Bedingungen zu, wie zuvor.',
  'The passphrase is too short: it needs at least {least} characters. Somebody who gets the file can try passphrases as fast as their machines allow.':
    'Die Passphrase ist zu kurz: mindestens {least} Zeichen. Wer die Datei in die Hand bekommt, kann Passphrasen so schnell probieren, wie seine Rechner sind.',
  'The person you take out cannot sit here again with the same key. With the link they can, under another key: make a new link too.':
    'Wen du herausnimmst, der kann hier nicht mit demselben Schlüssel wieder Platz nehmen. Wer den Link hat, kann es mit einem anderen: Mach auch einen neuen.',
  'The person you turn away cannot ask again with the same key. With the link they can, under another key.':
    'Wen du abweist, der kann nicht mit demselben Schlüssel wieder fragen. Wer den Link hat, kann es mit einem anderen.',
  'The players and the game master may roll behind a screen. Only the holder sees such dice, and chooses whether to show them. Nothing in the game depends on them. The log counts the rolls that are not shown.':
    'Wer mitspielt, und die Spielleitung, darf hinter einem Schirm würfeln: Solche Würfel gehören allein dem, der sie hat, und er zeigt sie oder nicht. An ihnen hängt nichts im Spiel, und das Protokoll zählt, was nicht gezeigt ist.',
  'The roll itself shows that its dice are fair, whatever it came to. {command} says of the saved log how unusual its counts are (p-values, corrected for their number).':
    'Dass Würfel fair sind, zeigt jeder Wurf für sich, was auch herauskam. Wie ungewöhnlich Zahlen sind (p-Werte, berichtigt um die Zahl der betrachteten), sagt {command} am gesicherten Protokoll.',
  'The roll waits for {names}.': 'Der Wurf wartet auf {names}.',
  'The rules are being loaded. Until they are here, results and offers are the server’s word.':
    'Die Regeln werden geladen. Bis sie da sind, sind Ergebnisse und Angebote das Wort des Servers.',
  'The rules are not here yet: until they are, results and offers are the server’s word.':
    'Die Regeln sind noch nicht da: Bis dahin sind Ergebnisse und Angebote das Wort des Servers.',
  'The rules could not be used in this browser: {why}': 'Die Regeln konnten in diesem Browser nicht benutzt werden: {why}',
  'The rules ended with an error, and are started anew.': 'Die Regeln endeten mit einem Fehler und werden neu gestartet.',
  'The rules gave no answer in this browser, and are started anew. Nothing was signed: try again in a moment.':
    'Die Regeln gaben in diesem Browser keine Antwort und werden neu gestartet. Nichts wurde unterschrieben: Versuch es gleich noch einmal.',
  'The same: both have the same first {size} {size:event|events} of this game.':
    'Gleich: Beide haben {size:dasselbe erste|dieselben ersten} {size} {size:Ereignis|Ereignisse} dieses Spiels.',
  'The screen of {closer} says whether its part is given. There {closer} taps “Take no part in this roll”: then the answer stays true. If it is the phone of {closer} that is gone, its owner’s word counts.':
    'Der Bildschirm von {closer} sagt, ob sein Beitrag gegeben ist. Dort tippt {closer} auf „Zu diesem Wurf nichts mehr beitragen“: Dann bleibt die Antwort wahr. Ist gerade dieses Telefon weg, zählt das Wort von {closer}.',
  'The secret of your seed chain cannot be opened in this browser. Commit to a new chain between rolls.':
    'Das Geheimnis deiner Seed-Kette lässt sich in diesem Browser nicht öffnen. Lege zwischen zwei Würfen eine neue Kette fest.',
  'The secret of your seed chain is not in this browser. Open where the commitment was made, or commit to a new chain between rolls.':
    'Das Geheimnis deiner Seed-Kette ist nicht in diesem Browser. Lege dort offen, wo sie festgelegt wurde, oder lege zwischen zwei Würfen eine neue Kette fest.',
  'The secret with number {number} is not in this browser, so you cannot show the roll that used it.':
    'Das Geheimnis Nummer {number} ist nicht in diesem Browser: Den Wurf, der es genommen hat, kannst du nicht zeigen.',
  'The secrets of your secret rolls cannot be opened in this browser.':
    'Die Geheimnisse deiner geheimen Würfe lassen sich in diesem Browser nicht öffnen.',
  'The server and the rules disagree': 'Der Server sagt etwas anderes als die Regeln',
  'The server began another game than the one that was agreed to. {problem} Nothing was signed in it.':
    'Der Server hat ein anderes Spiel begonnen als das, dem zugestimmt wurde. {problem} Darin wurde nichts unterschrieben.',
  'The server closes it. Everybody keeps the whole log.': 'Der Server beendet es. Alle behalten das ganze Protokoll.',
  'The server forgets the lines, seats and links. Anybody who saved the log still has it.':
    'Der Server vergisst Zeilen, Plätze und Links. Wer das Protokoll gesichert hat, hat es.',
  'The server gave a receipt for your opening, but does not pass the opening on. Show both to the judge, without using this server.':
    'Der Server hat deinen Teil quittiert und gibt ihn nicht weiter. Zeig beides dem, der richtet, auf einem anderen Weg als über diesen Server.',
  'The server gave back no event for what was typed.': 'Der Server hat zum Getippten kein Ereignis geliefert.',
  'The server let {name} in by itself, without the agreement of {host}: the server may control {name}.':
    'Der Server hat {name} allein hereingelassen, ohne ein Wort von {host}: {name} kann die Hand des Servers selbst sein.',
  'The server lost what you signed ({type}) before it was taken, and something else came first. Look at what has changed, and choose again.':
    'Was du unterschrieben hast ({type}), war noch nicht angenommen, als der Server es verlor, und hat etwas anderem Platz gemacht. Sieh nach, was sich geändert hat, und wähle noch einmal.',
  'The server read the typed line as something else: {text}. It is not signed.':
    'Der Server hat aus dem Getippten etwas anderes gemacht: {text}. Es wird nicht unterschrieben.',
  'The server said something about this game that differs from its rules: nothing more is signed here. Save the evidence, and tell the others without using this server.':
    'Der Server sagte über dieses Spiel etwas anderes als seine Regeln: Hier wird nichts mehr unterschrieben. Speichere, was es zeigt, und sag es den anderen auf einem anderen Weg.',
  'The server says that it has {there} {there:event|events}, and sends {size}.':
    'Der Server sagt, er habe {there} {there:Ereignis|Ereignisse}, und schickt {size}.',
  'The server says that it took event {seq}, and gives no checkpoint for it.':
    'Der Server sagt, er habe Ereignis {seq} angenommen, und gibt keinen Checkpoint dafür.',
  'The server sent a line without its number.': 'Der Server hat eine Zeile ohne ihre Nummer geschickt.',
  'The server sent an event without end.': 'Der Server hat ein Ereignis ohne Ende geschickt.',
  'The server sent other rules than this page names: they are not used.':
    'Der Server schickte andere Regeln, als diese Seite nennt: Sie werden nicht benutzt.',
  "The server shows an opening by {me}'s key that {me} did not make in this browser. Either somebody else has the key and the seeds, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.":
    'Eine Offenlegung mit dem Schlüssel von {me} ist zu sehen, die {me} nicht in diesem Browser gemacht hat. Jemand anderes hat Schlüssel und Seeds, oder das Gedächtnis dieses Browsers ging verloren. In diesem Spiel wird nichts mehr unterschrieben oder offengelegt: Sag es den anderen auf anderem Weg, und wer richtet.',
  'The server shows another event {seq} than the one that was seen: the game was forked.':
    'Der Server zeigt ein anderes Ereignis {seq} als das gesehene: Das Spiel wurde gespalten.',
  'The server shows another table than the one that the link is for.': 'Der Server zeigt einen anderen Tisch als den des Links.',
  'The server shows other dice than were rolled': 'Der Server nennt andere Würfel, als gefallen sind',
  'The server shows {there} of the {size} {size:event|events} seen here, and refuses the missing ones.':
    'Der Server zeigt {there} von {size} gesehenen {size:Ereignis|Ereignissen} und nimmt keines an, das ihm fehlt.',
  "The server's description of the table is malformed.": 'Was der Server vom Tisch zeigt, hat nicht die nötige Form.',
  "The server's judge calls off a roll that has waited for {seconds} s. The operator of the server runs this judge too, and could call off a roll whose dice they do not like. The log counts and shows each.":
    'Der Schiedsrichter des Servers bricht einen Wurf ab, der {seconds} s gewartet hat. Wer den Server betreibt, betreibt auch diesen Schiedsrichter, und könnte einen Wurf abbrechen, dessen Würfel nicht gefallen. Das Protokoll zählt und zeigt jeden.',
  "The server's receipt for your opening does not hold: it is worthless.": 'Die Quittung des Servers für deinen Teil stimmt nicht: Sie ist wertlos.',
  'The short link, with names': 'Der kurze Link, mit Namen',
  'The short link, without names': 'Der kurze Link, ohne Namen',
  "The signature of the start is not {host}'s, the host's.": 'Die Unterschrift unter dem Start ist nicht die von {host}, dem Gastgeber.',
  "The signature of {name}'s seat is not {name}'s.": 'Die Unterschrift unter dem Platz von {name} ist nicht die von {name}.',
  'The start was signed for another table.': 'Der Start wurde für einen anderen Tisch unterschrieben.',
  'The story is a page to read and keep; the log is the proof.':
    'Die Geschichte ist eine Seite zum Lesen und Aufheben; der Beweis ist das Protokoll.',
  'The table': 'Der Tisch',
  'The table waits': 'Der Tisch wartet',
  'The table waits for nobody.': 'Der Tisch wartet auf niemanden.',
  'The table waits for {party}: {choice}.': 'Der Tisch wartet auf {party}: {choice}.',
  "The table's signature is not {host}'s, the host's.": 'Die Unterschrift unter dem Tisch ist nicht die von {host}, dem Gastgeber.',
  'Their page has to be open and online: then the dice come by themselves. Nobody can roll in their place.':
    'Ihre Seite muss offen und online sein: Dann kommen die Würfel von selbst. Niemand kann an ihrer Stelle würfeln.',
  Theirs: 'Von ihnen',
  'There are no rules {system} here.': 'Regeln {system} gibt es hier nicht.',
  'There is nothing for you to do at the moment.': 'Im Moment gibt es für dich nichts zu tun.',
  'This browser could not save what it must remember, so it sent nothing.':
    'Was dieser Browser sich merkt, ließ sich nicht schreiben: Nichts wurde gesendet.',
  'This browser does not have {size} {size:event|events} yet. Wait, or tell the others your code.':
    'Hier sind noch nicht {size} {size:Ereignis|Ereignisse}. Warte darauf, oder sag den anderen deinen Code.',
  'This browser has checked it itself: each signature, that each secret is the one that was fixed before, and that exactly these dice follow from them.':
    'Dieser Browser hat es selbst geprüft: jede Unterschrift, dass jedes Geheimnis das vorher festgelegte ist, und dass genau diese Würfel daraus folgen.',
  'This browser has compared it with the table that you sat down at: it is the same.':
    'Dieser Browser hat es mit dem Tisch verglichen, an dem du Platz genommen hast: Es ist derselbe.',
  'This browser has no seat at a table here. Open the link of your table, sit down, and try again.':
    'Dieser Browser hat hier keinen Platz an einem Tisch. Öffne den Link deines Tisches, nimm Platz und versuche es noch einmal.',
  'This browser has not found these dice to be fair.': 'Dieser Browser hat diese Würfel nicht für fair befunden.',
  'This browser holds the whole log. Whoever has the file can check every roll:':
    'Dieser Browser hat das ganze Protokoll. Wer die Datei hat, kann jeden Wurf prüfen:',
  'This browser is set to save data, so the rules were not loaded: results and offers are the server’s word.':
    'Dieser Browser spart Daten, deshalb wurden die Regeln nicht geladen: Ergebnisse und Angebote sind das Wort des Servers.',
  'This browser signs nothing more at this table: open the table itself, and read why.':
    'Dieser Browser unterschreibt an diesem Tisch nichts mehr: Öffne den Tisch selbst und lies, warum.',
  'This browser stops for good, and saves a file that only your passphrase opens. Take it on the other device, at the same link.':
    'Dieser Browser hört endgültig auf und speichert eine Datei, die nur deine Passphrase öffnet. Nimm sie auf dem anderen Gerät, beim selben Link.',
  'This device has given its part in this roll.': 'Dieses Gerät hat seinen Beitrag zu diesem Wurf gegeben.',
  'This device has not given its part in this roll.': 'Dieses Gerät hat seinen Beitrag zu diesem Wurf nicht gegeben.',
  'This device takes no part in this roll any more. You or a judge can call it off.':
    'Dieses Gerät trägt zu diesem Wurf nichts mehr bei. Du oder ein Schiedsrichter kann ihn abbrechen.',
  'This file is of a seat at another server, {server}, and cannot be taken here. Nothing was changed.':
    'Diese Datei ist von einem Platz bei einem anderen Server, {server}, und kann hier nicht genommen werden. Nichts wurde geändert.',
  'This game needs a game master, and nobody who sits here is one: ask {host} for that link.':
    'Dieses Spiel braucht eine Spielleitung, und niemand, der hier sitzt, ist eine: Bitte {host} um diesen Link.',
  'This game needs a game master, and nobody who sits here is one: send somebody the link for the game master, below “Other links”.':
    'Dieses Spiel braucht eine Spielleitung, und niemand, der hier sitzt, ist eine: Schicke jemandem den Link für die Spielleitung, unter „Andere Links“.',
  'This has changed meanwhile: look at it, and tap again.': 'Das ist inzwischen etwas anderes: Sieh es an, und tippe noch einmal.',
  'This is an earlier roll. The latest one is of {author}, at {time}.': 'Das ist ein früherer Wurf. Der neueste ist von {author}, um {time}.',
  'This is no file of a seat that moved.': 'Das ist keine Datei eines übertragenen Platzes.',
  'This is no text that a log can have.': 'Das ist kein Text, den ein Protokoll haben kann.',
  'This is not a code. A code has 30 digits; the number of events and a colon may stand before them.':
    'Das ist kein Code: Er hat 30 Ziffern, mit der Zahl der Ereignisse und einem Doppelpunkt davor oder ohne.',
  'This link is for spectators, who have no seat.': 'Dieser Link ist für Zuschauer, die keinen Platz haben.',
  'This log differs from the one that you saw, at event {seq} or before: it was forked.':
    'Dieses Protokoll weicht von dem ab, das du gesehen hast, bei Ereignis {seq} oder davor: Es wurde gespalten.',
  'This page has failed: {problem}. Load it anew.': 'Auf dieser Seite ist ein Fehler aufgetreten: {problem}. Lade sie neu.',
  'This page signs and sends nothing more in this game. Save the evidence now, tell the others without using this server, and show it to a judge: rollproof compare says who signed what.':
    'Diese Seite unterschreibt und sendet in diesem Spiel nichts mehr. Sichere jetzt die Beweise, sag es den anderen auf einem anderen Weg als über diesen Server, und zeig sie einem Schiedsrichter: rollproof compare sagt, wer was unterschrieben hat.',
  'This phone plays for you when a judge has come to the table and let it in.':
    'Dieses Telefon spielt für dich, sobald ein Schiedsrichter an den Tisch gekommen ist und es hereingelassen hat.',
  'This screen': 'Dieser Bildschirm',
  'This seat has stopped': 'Dieser Platz hat aufgehört',
  'This seat was given no passphrase, and cannot be moved.': 'Dieser Platz bekam keine Passphrase und lässt sich nicht übertragen.',
  'This seat was moved to another device': 'Dieser Platz wurde auf ein anderes Gerät übertragen',
  'This seat was moved to another device, and goes on there.': 'Dieser Platz wurde auf ein anderes Gerät übertragen und geht dort weiter.',
  'This stays void: no ruling makes it count again. To let a roll count after all, have the same roll made again, and correct the dice of the new roll to what these showed.':
    'Das bleibt ungültig: Keine Entscheidung lässt es wieder gelten. Soll ein Wurf doch gelten, lass denselben Wurf noch einmal machen und berichtige die Würfel des neuen auf das, was diese zeigten.',
  'This table has no link for the role {role}.': 'Dieser Tisch hat keinen Link für die Rolle {role}.',
  'This table has started as game {known}, and the server shows game {game} now.':
    'Dieser Tisch hat als Spiel {known} begonnen, und der Server zeigt jetzt Spiel {game}.',
  'This tap says that you agree to the new key.': 'Dieser Tipp sagt, dass du dem neuen Schlüssel zustimmst.',
  'This tap says that {name} is away. When all others have said so, a second one agrees to the new key.':
    'Dieser Tipp sagt, dass {name} weg ist. Haben das alle anderen gesagt, stimmt ein zweiter dem neuen Schlüssel zu.',
  'This tap says that {name} is away: then the new browser goes on.': 'Dieser Tipp sagt, dass {name} weg ist: Dann geht es im neuen Browser weiter.',
  'This window is for a page of another site that rolls with you. No such page opened it.':
    'Eine Seite von woanders öffnet dieses Fenster, um mit dir zu würfeln. Niemand hat das getan.',
  'This window is too small to read what you would sign: make it larger.':
    'Dieses Fenster ist zu klein, um zu lesen, was du unterschreiben würdest: Mach es größer.',
  'This would be read. Tap to use it:': 'So würde es gelesen. Tippe darauf, um es zu übernehmen:',
  'To do': 'Zu tun',
  'To have the server’s judge call off a roll that waits too long, open another table: there choose “Go on without them”.':
    'Damit der Schiedsrichter des Servers einen Wurf abbricht, der zu lange wartet, eröffne einen anderen Tisch: Wähle dort „Ohne die Person weiterspielen“.',
  'Trust what was checked here. Results that the server computed from other dice are wrong.':
    'Halte dich an das, was hier geprüft wurde. Ergebnisse, die der Server aus anderen Würfeln errechnet hat, sind falsch.',
  'Try again': 'Noch einmal versuchen',
  'Turn this key away': 'Diesen Schlüssel abweisen',
  'Turn {name} away': '{name} abweisen',
  'Two ask for the place of {name}, so one of them is somebody else.': 'Zwei wollen den Platz von {name}, also ist einer von ihnen jemand anderes.',
  'Until the rules were here, this page showed the server’s word. It signs nothing more until it is loaded anew. Trust what it shows now, save the evidence of the difference, and tell the others without using this server.':
    'Bis die Regeln da waren, zeigte diese Seite das Wort des Servers. Sie unterschreibt nichts mehr, bis sie neu geladen wird. Richte dich nach dem, was sie jetzt zeigt, speichere, was den Unterschied zeigt, und sag es den anderen auf einem anderen Weg als über diesen Server.',
  'Until they can, results and offers are the server’s word.': 'Bis dahin sind Ergebnisse und Angebote das Wort des Servers.',
  Uphold: 'Bestätigen',
  'Use this': 'Übernehmen',
  'Vibrate when dice come': 'Vibrieren, wenn Würfel fallen',
  Void: 'Ungültig',
  'Waits for the page that opened this window…': 'Wartet auf die Seite, die dieses Fenster geöffnet hat …',
  'Waits for your own page to reach the server.': 'Wartet, bis deine eigene Seite den Server erreicht.',
  'Waits for {names}': 'Wartet auf {names}',
  'Waits for {names}, whose page has to prepare for the next roll.': 'Wartet auf {names}: Die Seite von {names} muss den nächsten Wurf vorbereiten.',
  'What for: everybody reads it': 'Wofür: alle lesen es',
  'What for: only you read it, until you show it': 'Wofür: nur du liest es, bis du es zeigst',
  'What is agreed to': 'Worauf ihr euch einigt',
  'What is rolled here counts: digital dice, agreed to by everybody.': 'Was hier gewürfelt wird, gilt: digitale Würfel, von allen vereinbart.',
  'What is ruled': 'Was entschieden wird',
  'What is signed': 'Was unterschrieben wird',
  'What kind': 'Welche Art',
  'What the dice came to, by the rules': 'Was die Würfel nach den Regeln ergaben',
  'What the dice came to, by the rules (the server says so)': 'Was die Würfel nach den Regeln ergaben (das sagt der Server)',
  'What this roll is for is not known in this browser, so it cannot be shown.':
    'Wofür dieser Wurf ist, weiß dieser Browser nicht, darum lässt er sich nicht zeigen.',
  'What this roll is for is not known in this browser, so it could never be shown.':
    'Wofür dieser Wurf ist, weiß dieser Browser nicht, darum ließe er sich nie zeigen.',
  'What you can do is being asked for…': 'Was du tun kannst, wird gerade abgefragt …',
  'What you signed ({type}) could not be sent before something else came first. Look at what has changed, and choose again.':
    'Was du unterschrieben hast ({type}), ließ sich nicht senden, bevor etwas anderes kam. Sieh nach, was sich geändert hat, und wähle noch einmal.',
  'What your secret roll was for cannot be opened in this browser.': 'Wofür dein geheimer Wurf war, lässt sich in diesem Browser nicht öffnen.',
  'When everybody who plays has agreed, {name} may rule and call rolls off. This tap says that you agree.':
    'Wenn alle Mitspieler zugestimmt haben, darf {name} entscheiden und Würfe abbrechen. Mit diesem Tipp stimmst du zu.',
  'When the game has begun, nobody can come in.': 'Wenn das Spiel begonnen hat, kann niemand mehr dazukommen.',
  'When the game has begun, you can still let somebody in who asks by a link for: {roles}.':
    'Wenn das Spiel begonnen hat, kannst du noch jemanden hereinlassen, der mit einem Link darum bittet, und zwar als: {roles}.',
  'When the game has begun, {host} can still let somebody in who asks by a link for: {roles}.':
    'Wenn das Spiel begonnen hat, kann {host} noch jemanden hereinlassen, der mit einem Link darum bittet, und zwar als: {roles}.',
  'Which table?': 'Welcher Tisch?',
  'While a roll waits, no ruling is possible.': 'Solange ein Wurf wartet, wird nichts entschieden.',
  'While you are seated this screen stays awake, where the browser allows it.':
    'Solange du einen Platz hast, bleibt dieser Bildschirm wach, wo der Browser es erlaubt.',
  'Who can go on without {names}: {others}.': 'Wer ohne {names} weiterspielen kann: {others}.',
  'Who gave no part': 'Wer keinen Beitrag gegeben hat',
  'Who is here': 'Wer da ist',
  'Who plays': 'Wer mitspielt',
  'Who sees the dice': 'Wer die Würfel sieht',
  'Who sits here': 'Wer hier sitzt',
  Whose: 'Von wem',
  'Why this roll is fair': 'Warum dieser Wurf fair ist',
  'With two at the table only the recovery key can do it. Without the profile’s file the table goes on in a new game.':
    'Zu zweit am Tisch kann es nur der Wiederherstellungsschlüssel. Ohne die Datei des Profils geht es in einem neuen Spiel weiter.',
  'With two at the table only the recovery key can do it: {name} asks again with the profile’s file, or you go on in a new game.':
    'Zu zweit am Tisch kann es nur der Wiederherstellungsschlüssel: {name} fragt noch einmal mit der Datei des Profils, oder ihr macht in einem neuen Spiel weiter.',
  Yes: 'Ja',
  'Yes, take it back': 'Ja, zurücknehmen',
  'You are about to go on as {name}.': 'Gleich machst du als {name} weiter.',
  'You are away': 'Du bist weg',
  'You came later, and have no say in that before everybody who plays has agreed to it.':
    'Du kamst später und entscheidest dabei erst mit, wenn alle Mitspieler zugestimmt haben.',
  'You came later, and judge when everybody who plays has agreed to it. Still missing: {names}.':
    'Du bist später gekommen und entscheidest, sobald alle Mitspieler zugestimmt haben. Noch fehlt: {names}.',
  'You can close this window.': 'Du kannst dieses Fenster schließen.',
  'You can go on with a new key. Bring in the file of your profile, if you saved one: then nobody else has to agree.':
    'Du kannst mit einem neuen Schlüssel weitermachen. Bring die Datei deines Profils mit, falls du eine gesichert hast: Dann muss sonst niemand zustimmen.',
  'You can judge here as soon as the server lets you in. It does so when no roll waits.':
    'Du richtest hier, sobald der Server dich hereinlässt: Das tut er, wenn kein Wurf wartet.',
  'You cannot take this back: the proof is in the link, and so are the names. Without a tick, the page does not show them.':
    'Was einmal geteilt ist, bleibt geteilt: Der Beweis steht im Link, auch die Namen. Ohne Häkchen zeigt die Seite sie nicht.',
  'You contribute nothing to this roll.': 'Du trägst zu diesem Wurf nichts bei.',
  'You do not sit here any more: {host} has taken you out, or so this server says. Ask {host} without using this server. You can sit down again, with another key.':
    'Du sitzt hier nicht mehr: {host} hat dich herausgenommen, das sagt jedenfalls dieser Server. Frag {host} auf anderem Weg. Du kannst wieder Platz nehmen, mit einem anderen Schlüssel.',
  'You ended it.': 'Du hast sie beendet.',
  'You gave a receipt for the opening of {author}: a void that names {author} as missing would contradict it.':
    'Du hast den Teil von {author} quittiert: Ein Abbruch, der {author} als fehlend nennt, würde dem widersprechen.',
  'You go on as {name} when these agree: {names}. Leave this page open.':
    'Du machst als {name} weiter, wenn zugestimmt haben: {names}. Lass diese Seite offen.',
  'You go on without {name}': 'Du spielst ohne {name} weiter',
  'You had not sat down at this table before the roll was asked for, so you cannot call it off.':
    'Du hattest an diesem Tisch noch nicht zugestimmt, als der Wurf angefordert wurde, und kannst ihn deshalb nicht abbrechen.',
  'You have a seat here already, as {name}.': 'Du hast hier schon einen Platz, als {name}.',
  'You have called this roll off, and give no receipt for it.': 'Du hast diesen Wurf abgebrochen und quittierst nichts mehr dafür.',
  'You have called this roll off, and open nothing for it.': 'Du hast diesen Wurf abgebrochen und legst nichts dafür offen.',
  'You have left this game. You can look on, and save its log.': 'Du hast dieses Spiel verlassen. Du kannst zusehen und sein Protokoll sichern.',
  'You have no seat in this game.': 'Du hast in diesem Spiel keinen Platz.',
  'You have opened for this roll, and cannot call it off any more: the keeper may know the dice.':
    'Du hast deinen Teil zu diesem Wurf gegeben und kannst ihn nicht mehr abbrechen: Der Server kann die Würfel kennen.',
  'You have said that {name} is away. It takes effect when all others have said so, and the server has not heard from {name} for 15 seconds.':
    'Du hast gesagt, dass {name} weg ist. Es wirkt, wenn alle anderen es gesagt haben und der Server 15 Sekunden lang nichts von {name} gehört hat.',
  'You have seen {seen} {seen:event|events} of this game, and {size} {size:is|are} here: the end is missing. Nothing is signed until it is back.':
    'Du hast {seen} {seen:Ereignis|Ereignisse} dieses Spiels gesehen, und {size} {size:ist|sind} hier: Das Ende fehlt. Nichts wird unterschrieben, bis es wieder da ist.',
  'You hold a receipt of {keeper}, the keeper, for another history of the first {size} {size:event|events}: the game was forked.':
    'Du hast eine Quittung von {keeper}, dem Server, über eine andere Geschichte dieses Spiels, bis zu Ereignis Nummer {size}: Es wurde gespalten.',
  'You look on. The game begins when {host} starts it.': 'Du schaust zu. Das Spiel beginnt, wenn {host} es startet.',
  'You look on: this link has no seat. Everything is checked here all the same.':
    'Du schaust zu: Dieser Link hat keinen Platz. Alles wird hier trotzdem geprüft.',
  'You look on: you have no seat in this game, in this browser. Everything is checked here all the same.':
    'Du schaust zu: In diesem Spiel hast du in diesem Browser keinen Platz. Alles wird hier trotzdem geprüft.',
  'You opened link {index} for another request, and never open it twice: somebody shows two histories of this game.':
    'Du hast Glied {index} für eine andere Anfrage offengelegt und tust es nie zweimal: Jemand zeigt zwei Geschichten dieses Spiels.',
  'You opened link {opened} for this request, so you never open link {index} for it: this log is not the one that you saw.':
    'Du hast Glied {opened} für diese Anfrage offengelegt und legst Glied {index} nie dafür offen: Das Protokoll ist nicht das, das du gesehen hast.',
  'You sign that these gave no part: {names}.': 'Du unterschreibst, dass kein Beitrag kam von: {names}.',
  'You sit here. {host} starts the game; leave this page open.': 'Du sitzt hier. {host} startet das Spiel; lass diese Seite offen.',
  'You still owe a roll that was called off: {roll}. Every report of this game will say that you left without making it again.':
    'Du schuldest noch einen Wurf, der abgebrochen wurde: {roll}. In jedem Bericht über dieses Spiel steht dann, dass du gegangen bist, ohne ihn zu wiederholen.',
  'Your part comes when {names} have given theirs; until then the dice wait.': 'Dein Teil kommt nach dem von {names}; bis dahin warten die Würfel.',
  'Your part is not given yet, so nobody can know the dice. What everybody had ready for it is used up, and you owe the same roll.':
    'Dein Teil ist noch nicht gegeben, also kann niemand die Würfel kennen. Was alle dafür bereit hatten, ist verbraucht, und du schuldest denselben Wurf.',
  'Your part was sent: the server has not handed it on yet.': 'Dein Teil ist gesendet: Der Server hat ihn noch nicht weitergegeben.',
  'Your recovery key says that you are {name}. You go on as soon as the others say that your old browser is away. Leave this page open.':
    'Dein Wiederherstellungsschlüssel sagt, dass du {name} bist. Du machst weiter, sobald die anderen deinen alten Browser abmelden. Lass diese Seite offen.',
  'Your seat has said that it checks the rules before it signs, and they are not here at the moment. Nothing was signed.':
    'Dein Platz hat gesagt, dass er vor dem Unterschreiben die Regeln prüft, und sie sind gerade nicht da. Nichts wurde unterschrieben.',
  'Your seed chain came from another device, and is opened for no roll here: you commit to a new one between rolls.':
    'Deine Seed-Kette kam von einem anderen Gerät und wird hier für keinen Wurf benutzt: Zwischen zwei Würfen legst du eine neue fest.',
  'Your seed chain has links for more rolls: a new one comes when there is none left.':
    'Deine Seed-Kette reicht für weitere Würfe: Eine neue kommt, wenn keiner mehr übrig ist.',
  'a penalty': 'eine Strafe',
  'agree to the terms': 'den Bedingungen zustimmen',
  'and {count} more': 'und {count} weitere',
  'apply effects, or do without them': 'Effekte anwenden oder darauf verzichten',
  'asked for by {author}': 'verlangt von {author}',
  'average {seen}, to be expected {expected}': 'Durchschnitt {seen}, erwartet {expected}',
  'away, back, leave': 'kurz weg, zurück, gehen',
  'being read…': 'wird gelesen …',
  'being signed and sent…': 'wird unterschrieben und gesendet …',
  blank: 'leer',
  'cannot be read yet': 'noch nicht zu lesen',
  'changes nothing: this die does not count': 'ändert nichts: dieser Würfel zählt nicht',
  chaos: 'Chaos',
  'choose the dice to ignore': 'die zu ignorierenden Würfel wählen',
  connected: 'verbunden',
  'connecting…': 'verbindet …',
  corrected: 'berichtigt',
  'counts as': 'zählt als',
  'die {die}: {natural} → {result}': 'Würfel {die}: {natural} → {result}',
  'die {die}: {natural} → {result}, still does not count': 'Würfel {die}: {natural} → {result}, zählt weiterhin nicht',
  'die {number} shows {face}': 'Würfel {number} zeigt {face}',
  'die {number}: {face}': 'Würfel {number}: {face}',
  'does not count': 'zählt nicht',
  'double down, or not': 'verdoppeln oder nicht',
  face: 'Seite',
  fair: 'fair',
  'first type what to roll': 'gib zuerst ein, was gewürfelt wird',
  'first: {what}': 'zuerst: {what}',
  'for a camera': 'für eine Kamera',
  'give the mortal wounds to models': 'die tödlichen Verwundungen auf Modelle verteilen',
  'has left': 'ist gegangen',
  'has not agreed yet': 'hat noch nicht zugestimmt',
  'have dice rolled again, or leave the dice as they are': 'Würfel neu würfeln lassen oder liegen lassen',
  heads: 'Kopf',
  here: 'da',
  'judge, spectators, a new link': 'Schiedsrichter, Zuschauer, ein neuer Link',
  'keep first results, or end the roll': 'erste Ergebnisse behalten oder den Wurf beenden',
  'keeps the log': 'führt das Protokoll',
  'natural {number}': 'gewürfelte {number}',
  'new key: {names}': 'neuer Schlüssel: {names}',
  'no connection, trying again': 'keine Verbindung, neuer Versuch',
  none: 'keine',
  'not at the table': 'nicht am Tisch',
  'not connected': 'nicht verbunden',
  'not found fair ✗': 'nicht für fair befunden ✗',
  'not shown': 'nicht gezeigt',
  'on the page that checks logs': 'auf der Seite, die Protokolle prüft,',
  'only me': 'nur ich',
  'only {name}': 'nur {name}',
  'or, with code that this server never touched, by the program': 'oder mit Code, den dieser Server nie berührt hat, mit dem Programm',
  planeswalk: 'Weltenwandeln',
  rerolled: 'neu gewürfelt',
  'roll again, or not': 'noch einmal würfeln oder nicht',
  'roll dice again': 'Würfel neu würfeln',
  'roll dice again, or go on': 'Würfel neu würfeln oder weiter',
  'roll how many further hits': 'weitere Treffer auswürfeln',
  'roll the Strength': 'die Stärke auswürfeln',
  'roll the damage': 'den Schaden auswürfeln',
  'roll the mortal wounds': 'die tödlichen Verwundungen auswürfeln',
  'roll the move': 'die Bewegung auswürfeln',
  'roll the saves': 'Schutzwürfe machen',
  'roll to hit': 'auf Treffer würfeln',
  'roll to wound': 'auf Verwundung würfeln',
  'rolls…': 'würfelt …',
  'say what you give': 'sagen, was du beiträgst',
  'say who rolls': 'sagen, wer würfelt',
  seen: 'gesehen',
  'sending to {server}…': 'sendet an {server} …',
  'sound, vibration': 'Ton, Vibration',
  stopped: 'angehalten',
  success: 'Erfolg',
  tails: 'Zahl',
  'the call “{source}”': 'Aufruf „{source}“',
  'the server’s': 'vom Server',
  'the {faces}': 'die {faces}',
  'to be expected': 'erwartet',
  total: 'Summe',
  upheld: 'bestätigt',
  void: 'ungültig',
  'waits for {names}': 'wartet auf {names}',
  what: 'was',
  'what a typed line says': 'was eine getippte Zeile sagt',
  'what it comes to is being asked for': 'was es ergibt, wird gerade abgefragt',
  'what the rolls came to, or how the game stands': 'was die Würfe ergaben oder wie das Spiel steht',
  'what you can do': 'was du tun kannst',
  'why a roll came to what it came to': 'warum ein Wurf ergab, was er ergab',
  'without {names}': 'ohne {names}',
  '{author} asked for the dice. {keeper}, the server, signed that request, so it could not be changed or exchanged any more.':
    '{author} hat die Würfel verlangt. {keeper}, der Server, hat diese Anfrage unterschrieben; sie konnte also nicht mehr geändert oder ausgetauscht werden.',
  '{author} corrected what you did. The reason: {reason}': '{author} hat berichtigt, was du getan hast. Der Grund: {reason}',
  '{author} dated event {seq} {time}, but the clock here says {clock}: one of the two is wrong. Nothing is signed after it until they agree.':
    '{author} hat Ereignis {seq} auf {time} datiert, und die Uhr hier sagt {clock}: Eine von beiden geht falsch. Darauf wird nichts unterschrieben, bis sie übereinstimmen.',
  '{author} gave you a penalty. The reason: {reason}': '{author} hat dir eine Strafe gegeben. Der Grund: {reason}',
  '{author} leaves your opening for this roll out, although {author} gave you a receipt for it: show both to the judge.':
    '{author} lässt deinen Teil an diesem Wurf weg und hat ihn dir quittiert: Zeig beides dem, der richtet.',
  '{author} rolled blind ({purpose}): {holder} alone sees the dice': '{author} hat blind gewürfelt ({purpose}): {holder} allein sieht die Würfel',
  '{author} rolled blind: {holder} alone sees the dice': '{author} hat blind gewürfelt: {holder} allein sieht die Würfel',
  '{author} rolls.': '{author} würfelt.',
  '{author} ruled once more on what you did. The reason: {reason}':
    '{author} hat noch einmal über das entschieden, was du getan hast. Der Grund: {reason}',
  '{author} ruled void what you did. The reason: {reason}': '{author} hat für ungültig erklärt, was du getan hast. Der Grund: {reason}',
  '{author} says that you did not open for this roll. You did: show the opening and its receipts to the judge.':
    '{author} sagt, du hättest für diesen Wurf nicht offengelegt. Das hast du: Zeig die Offenlegung und ihre Quittungen dem, der richtet.',
  '{author} signed you away.': '{author} hat dich abgemeldet.',
  '{author} took you out of the game.': '{author} hat dich aus dem Spiel genommen.',
  '{author} {result}. {dice}. {purpose}.': '{author} {result}. {dice}. {purpose}.',
  '{author}, {purpose}.': '{author}, {purpose}.',
  '{author}: {dice}. {purpose}.': '{author}: {dice}. {purpose}.',
  '{author}: {purpose}': '{author}: {purpose}',
  '{author}: {what}': '{author}: {what}',
  '{closer} can too, on the own screen, as long as {closer} has not given a part in the roll. Otherwise the table goes on in a new game; at an event the desk corrects the pairing of this table.':
    'Auch {closer} kann es am eigenen Bildschirm, solange der Beitrag von dort noch fehlt. Sonst geht der Tisch in einem neuen Spiel weiter; bei einer Veranstaltung berichtigt die Turnierleitung dafür die Paarung dieses Tisches.',
  '{closer} gives the last part in this roll. Ask {closer} in person, and not through this server: “Has your phone given its part?” Call the roll off only when {closer} says: “No, and it will not any more.” If it has, the server may know the dice already.':
    '{closer} gibt den letzten Beitrag zu diesem Wurf. Frag {closer} selbst und nicht über diesen Server: „Hat dein Telefon seinen Beitrag gegeben?“ Brich den Wurf nur ab, wenn {closer} sagt: „Nein, und es gibt ihn auch nicht mehr.“ Sonst kennt der Server die Würfel vielleicht schon.',
  '{closer} has told me so, by another way': '{closer} hat es mir auf anderem Weg gesagt',
  '{closer} opens last before the keeper: a judge asks {closer}.':
    '{closer} legt als Letzter vor dem Server offen: Ein Schiedsrichter fragt {closer}.',
  '{count} more': '{count} weitere',
  '{count} {count:die|dice}': '{count} Würfel',
  '{count} {count:die|dice}: {face}': '{count} Würfel: {face}',
  '{count} {count:way|ways}': '{count} {count:Möglichkeit|Möglichkeiten}',
  '{dice} for {purpose}: {came}': '{dice} für {purpose}: {came}',
  '{dice} for {source}': '{dice} für {source}',
  '{dice}: {came}': '{dice}: {came}',
  '{holder} rolled behind the screen': '{holder} hat hinter dem Schirm gewürfelt',
  '{holder} {count}, of which {shown} shown': '{holder} {count}, davon {shown} gezeigt',
  '{host} has made a new link in the place of this one: ask for it.': '{host} hat anstelle dieses Links einen neuen gemacht: Bitte darum.',
  '{host} has started the game': '{host} hat das Spiel gestartet',
  '{host} has turned you away, or so this server says. Ask {host} without using this server.':
    '{host} hat dich abgewiesen, das sagt jedenfalls dieser Server. Frag {host} auf anderem Weg.',
  '{host} is asked to let you in, {name}. Leave this page open: you are in the next roll from then on.':
    '{host} wird gebeten, dich hereinzulassen, {name}. Lass diese Seite offen: Danach bist du im nächsten Wurf dabei.',
  '{judge} ruled ({ruling}): {text}': '{judge} hat entschieden ({ruling}): {text}',
  '{keeper} keeps the log: this server. It orders the events, and can neither choose nor predict dice.':
    '{keeper} führt das Protokoll: dieser Server. Er ordnet die Ereignisse und kann Würfel weder wählen noch vorhersagen.',
  '{kind} ({what})': '{kind} ({what})',
  '{member} is not what was agreed to.': '{member} ist nicht, was vereinbart war.',
  '{me} has another key in this game: this seat is not a party of it.':
    '{me} hat in diesem Spiel einen anderen Schlüssel: Dieser Platz gehört nicht dazu.',
  '{names} agreed. Still missing: {others}.': 'Zugestimmt: {names}. Noch offen: {others}.',
  '{names} did not open': 'Der Teil von {names} fehlt',
  '{names} had a part in these dice with a new key, which others let into the game. No key proves that it is the same person, so the dice count in no luck and no season.':
    '{names} hatte mit einem neuen Schlüssel teil an diesen Würfeln, den andere ins Spiel gelassen haben. Kein Schlüssel beweist, dass es dieselbe Person ist, deshalb zählen die Würfel in keinem Glück und keiner Saison.',
  '{names} had been signed away by somebody else, and had no part in these dice. Until {waiting} accepts them they count in no luck and no season.':
    'Abgemeldet von jemand anderem und ohne Teil an diesen Würfeln: {names}. Ohne die Zustimmung von {waiting} zählen sie bei keinem Glück und in keiner Saison.',
  '{names} had been signed away by somebody else, and has accepted this roll since.':
    'Damals abgemeldet von jemand anderem, inzwischen einverstanden mit diesem Wurf: {names}.',
  '{names} left the game.': 'Das Spiel verlassen hat: {names}.',
  '{names} took it back: nothing comes of it.': '{names} haben ihn zurückgenommen: Nichts folgt daraus.',
  '{names} would take it back. Waits for {missing}.': 'Zurücknehmen möchte ihn: {names}. Gewartet wird auf {missing}.',
  '{name} asks to come in, as {role}.': '{name} bittet um Einlass, als {role}.',
  '{name} asks to come in.': '{name} bittet um Einlass.',
  '{name} came later, and rolls like everybody. When everybody who plays has agreed, {name} also has a say in who is signed away.':
    '{name} kam später und würfelt wie alle. Wenn alle Mitspieler zugestimmt haben, entscheidet {name} auch mit, wer abgemeldet wird.',
  '{name} came later, as judge. When everybody who plays has agreed, {name} may rule and call rolls off; until then nothing.':
    '{name} kam später, als Schiedsrichter. Wenn alle Mitspieler zugestimmt haben, darf {name} entscheiden und Würfe abbrechen; bis dahin nichts.',
  '{name} does not have the link for the role {role}: the invitation does not hold.':
    '{name} hat nicht den Link der Rolle {role}: Die Einladung stimmt nicht.',
  '{name} goes on as soon as the new browser is there.': '{name} macht weiter, sobald der neue Browser da ist.',
  '{name} goes on under a new key, and only the whole log shows by whose word.':
    '{name} macht mit einem neuen Schlüssel weiter, und nur das ganze Protokoll zeigt, auf wessen Wort.',
  '{name} goes on under a new key, by the recovery key.':
    '{name} macht mit einem neuen Schlüssel weiter, auf das Wort des Wiederherstellungsschlüssels.',
  '{name} goes on under a new key, by the word of {names}: it may be somebody else.':
    '{name} macht mit einem neuen Schlüssel weiter, auf das Wort von {names}: Es kann jemand anderes sein.',
  '{name} goes on under another key. This browser has no part in this game any more. If the other one is not you, save the log, and tell the others without using this server.':
    '{name} macht mit einem anderen Schlüssel weiter. Dieser Browser gehört nicht mehr zu diesem Spiel. Bist du das nicht, sichere das Protokoll und sag es den anderen auf anderem Weg.',
  '{name} has a new browser?': '{name} hat einen neuen Browser?',
  '{name} has a seat here already, as {role}.': '{name} hat hier schon einen Platz, als {role}.',
  '{name} has another name at its seat.': '{name} heißt an seinem Platz anders.',
  '{name} has no seat as {role}.': '{name} hat keinen Platz als {role}.',
  '{name} has published this roll under a short link.': '{name} hat diesen Wurf unter einem kurzen Link veröffentlicht.',
  '{name} is in the next roll. When everybody who plays has agreed, {name} also has a say in who is signed away. This tap says that you agree.':
    '{name} ist im nächsten Wurf dabei. Wenn alle Mitspieler zugestimmt haben, entscheidet {name} auch mit, wer abgemeldet wird. Mit diesem Tipp stimmst du zu.',
  '{name} is not away, and by the terms of this table the others cannot say so: it waits until {name} or a judge does.':
    '{name} ist nicht abgemeldet, und nach den Bedingungen dieses Tisches können die anderen das nicht: Es wartet, bis {name} oder ein Schiedsrichter es sagt.',
  "{name} is the name of the server's keeper or judge: choose another.":
    '{name} ist der Name des Servers oder seines Schiedsrichters: Wähle einen anderen.',
  '{name} looks like {other}, but is somebody else: ask who that is, without using this server.':
    '{name} sieht aus wie {other} und ist jemand anderes: Frag auf anderem Weg, wer das ist.',
  '{name} still owes a roll that was called off: {roll}. Every report of this game will say that {name} left without making it again.':
    '{name} schuldet noch einen Wurf, der abgebrochen wurde: {roll}. In jedem Bericht über dieses Spiel steht dann, dass {name} gegangen ist, ohne ihn zu wiederholen.',
  '{name} {value}': '{name} {value}',
  "{name}'s seat is one at another table.": 'Der Platz von {name} ist einer an einem anderen Tisch.',
  '{natural} (does not count)': '{natural} (zählt nicht)',
  '{natural} (rerolled)': '{natural} (neu gewürfelt)',
  '{origin} asks you to sign:': '{origin} bittet dich zu unterschreiben:',
  '{origin} would like to roll with you': '{origin} möchte mit dir würfeln',
  '{party} is away': '{party} ist kurz weg',
  '{party} is not connected': '{party} ist nicht verbunden',
  '{player}, d{sides}': '{player}, W{sides}',
  '{what}: the server says {told}; checked here: {checked}.': '{what}: Der Server sagt {told}; hier geprüft: {checked}.',
  '{what}: {value}.': '{what}: {value}.',
};
