/**
 * The Japanese of what the verifier says at a table: made by `python -m tests.make.words` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const JAPANESE = {
  "'{name}' is a member of a group already": "'{name}'はすでにグループに入っています",
  "'{word}' is not log, witness, group or quorum": "'{word}'は、log、witness、group、quorumのどれでもありません",
  'A close has the openings of the request that waits, and no openings if none waits.':
    'クローズには、待っている要求の開示があり、何も待っていなければ開示はありません。',
  'A correction names each die once.': '訂正で1個のサイコロを2回挙げることはできません。',
  'A log begins with its only open; this is event {seq}.': '`open`はログの最初に1つだけあります。これはイベント{seq}です。',
  'A penalty names a party; other rulings name none.': '参加者を指名するのは懲罰の裁定であり、懲罰の裁定だけです。',
  'A reveal has one opening of each contributor, in party order.': '公開には、各寄与者の開示が、参加者の順に1つずつ必要です。',
  'A roll waits for its dice: only its reveal or void can come now, not {type}.':
    'あるロールがサイコロを待っています。今できるのはその公開か無効化だけで、{type}はできません。',
  'A roll was voided, and {keeper}, the keeper, has not yet disclosed what was opened for it.':
    'あるロールが無効にされましたが、記録係の{keeper}は、そのために開示されたものをまだ明かしていません。',
  'A roll was voided: {keeper} must disclose what was opened for it before {type}.':
    'ロールが無効にされました。{type}の前に、記録係の{keeper}がそのために開示されたものを明かさなければなりません。',
  'A ruling is about an earlier event; {subject} is none.': '裁定の対象は、それより前のイベントです。{subject}は違います。',
  'A secret roll of {holder}: its seed takes a secret that only {holder} knows, and so do its dice.':
    '{holder}の秘密のロールです。シードには{holder}だけが知る秘密が入り、サイコロもそうです。',
  'A show has the naturals of a roll that was revealed, and none of one that was voided.':
    '公開されたロールを見せるときには出た目があり、無効化されたロールにはありません。',
  'A show says what its roll was for, with the salt, if the roll hid this, and only then.':
    '用途を隠したロールを見せるときだけ、ソルトと用途を示します。',
  'A void by the holder of a secret roll has its secret, and no other void has one.':
    '秘密のロールの持ち主による無効化にはその秘密があり、ほかの無効化にはありません。',
  'A void names contributors of its roll as missing, in party order, none twice.':
    '無効化は、そのロールの寄与者だけを、参加者の順に、重複なく、未開示者として挙げます。',
  'All its links are known by now. It takes the rules to know which dice the request draws: {command} says what it would have shown.':
    'すべてのリンクがすでに分かっています。この要求がどのサイコロを引くかにはルールが必要です。何が出たはずかは{command}が示します。',
  'Anything from event {seq} on: it rests on an event that does not hold.': 'イベント{seq}以降のすべて。成り立たないイベントの上にあるためです。',
  'By the terms of this game no roll is taken back, so {author} writes no {type}: a judge rules.':
    'このゲームの取り決めではロールは取り消せないため、{author}は{type}を書けません。ジャッジが裁定します。',
  'Called off before the dice were shown: {rolls}, {each}.': 'サイコロが公開される前に取りやめ: {rolls}、{each}。',
  'Dice ({rolls}): every opening leads to its commitment; the naturals follow from the links.':
    'サイコロ({rolls}): すべての開示がそのコミットメントに行き着き、出た目はリンクから導かれます。',
  'Dice of {rolls}: nobody could choose or predict them unless ALL of {names} worked together.':
    '{rolls}のサイコロ: {names}の全員が共謀しないかぎり、誰もその出た目を選んだり予測したりできませんでした。',
  'Each natural is the number mod the sides, plus 1; numbers from the limit on are passed over.':
    '出た目は、数を面の数で割った余りに1を足したものです。上限以上の数は飛ばします。',
  'Event {admit} admits nobody.': 'イベント{admit}は誰も参加を認めていません。',
  'Event {ended} voids that roll, by {author}: who opens a roll may not call it off. That is proof.':
    'イベント{ended}でそのロールを無効にしたのは{author}自身です。開示した者は取りやめてはなりません。これは証拠です。',
  'Event {ended}, a {how}, and what follows it lack the opening: {receiver} kept it back. That is proof.':
    'イベント{ended}({how})にも、その後にもこの開示がありません。{receiver}はこれを伏せました。これは証拠です。',
  'Event {ended}, a {how}, ended that roll without it.': 'このロールは、この開示なしにイベント{ended}({how})で終わっています。',
  'Event {ended}, by {by}, voids that roll and names {author} as missing. Ask both how it was sent.':
    'イベント{ended}で{by}がそのロールを無効にし、{author}を未開示者として挙げています。どのように送られたか、双方に尋ねてください。',
  "Event {ended}, by {by}, voids that roll; the opening stands in the keeper's disclose after it.":
    'イベント{ended}で{by}がそのロールを無効にしました。この開示は、その後に記録係が明かしたものの中にあります。',
  'Event {expected} should stand here, but this is event {actual}: lines are missing, doubled or out of order.':
    'ここにはイベント{expected}があるはずですが、これはイベント{actual}です。行が欠けているか、重複しているか、順序が違っています。',
  'Event {request} is no roll that {judge} called off with {author} as missing; or {author} has written something else since.':
    'イベント{request}は、{judge}が{author}を未開示として取り消したロールではないか、{author}がその後ほかのイベントを書いています。',
  'Event {request} is no secret roll that {author} holds and has not shown.':
    'イベント{request}は、{author}が持ち、まだ見せていない秘密のロールではありません。',
  'Event {seq}, {type}, signed by {author} at {time}; its leaf hash is {leaf}.':
    'イベント{seq}、{type}。{author}が{time}に署名しました。リーフ・ハッシュは{leaf}です。',
  "Events 0 to {last}: form, order, chain, and that each was signed with its author's key.":
    'イベント0から{last}まで: 形式、順序、つながり、およびそれぞれが作成者の鍵で署名されていること。',
  'Everybody who had to consent has consented (event {seq}).': '同意すべき全員が同意しました(イベント{seq})。',
  'In event {ended} {receiver} nevertheless says that {author} had not opened. That is proof.':
    'それでもイベント{ended}で{receiver}は、{author}が開示していなかったと言っています。これは証拠です。',
  'In event {seq} {author} closes the game while the request waits. No dice count.':
    'イベント{seq}で{author}は、要求が待っているままゲームを終えました。数えるサイコロはありません。',
  'In event {seq} {author} voids the request. Its links are used up, and no dice count.':
    'イベント{seq}で{author}がこの要求を無効にしました。リンクは使い切られ、数えるサイコロはありません。',
  'In this game no roll is secret, so {author} writes no {type}.': 'このゲームに秘密のロールはないので、{author}は{type}を書けません。',
  'In this game no roll is secret.': 'このゲームに秘密のロールはありません。',
  'It has no dice here: its openings are not all in this log.': 'ここにサイコロの目はありません。このログには開示がそろっていません。',
  'It stands in event {ended}, a {how}.': 'この開示はイベント{ended}({how})にあります。',
  'It took longer than {seconds} seconds.': '{seconds}秒を超えました。',
  'It was stopped.': '中止しました。',
  'Links and secret give other dice than the show says.': 'リンクと秘密から出るサイコロは、見せられたものと違います。',
  'Made without {name}, whom somebody else had signed away. {name} has accepted it.':
    '{name}抜きで行われました。{name}は他の人によって不在とされていました。{name}はこれを承認しました。',
  'Made without {name}, whom somebody else had signed away. {name} has not accepted it.':
    '{name}抜きで行われました。{name}は他の人によって不在とされていました。{name}はこれを承認していません。',
  'Made without {party}, whom somebody else had signed away: {rolls}. {party} has accepted {accepted} of them; the others count in no luck and no season.':
    '{party}は他の人によって不在とされ、{party}抜きで行われたもの: {rolls}。{party}はそのうち{accepted}件を承認しました。残りは運の統計にもシーズンにも数えません。',
  'Made without {party}, whom somebody else had signed away: {rolls}; {party} has accepted {accepted}.':
    '{party}は他の人によって不在とされ、{party}抜きで行われたもの: {rolls}。{party}が承認したもの: {accepted}。',
  'No dice were rolled, and no player is left to roll any.': 'サイコロは1個も振られておらず、振るプレイヤーももう残っていません。',
  'No roll waits for dice, so there is nothing to {type}.': 'サイコロを待っているロールがないので、{type}はできません。',
  'No roll was voided, so there is nothing to disclose.': '無効にされたロールはないので、明かすものはありません。',
  'No {role} comes later to this game.': 'このゲームに、{role}が後から来ることはできません。',
  'Nobody can come in with this key: {problem}.': 'この鍵では参加できません: {problem}。',
  'Nobody comes later before everybody has joined: {missing} must join first.':
    '全員が参加するまで、後から来る人は入れません。{missing}の参加が先です。',
  'Nobody could choose or predict these dice unless ALL of {names} worked together.':
    '{names}の全員が共謀しないかぎり、誰もこれらの出た目を選ぶことも予測することもできませんでした。',
  'Nobody goes on under a new key before everybody has joined: {missing} must join first.':
    '全員が参加するまで、誰も新しい鍵で続けられません：先に{missing}が参加します。',
  'Nobody goes on under this key: {problem}.': 'この鍵では続けられません：{problem}。',
  'Nobody in this log has the key of {name} that you know, and no party is called {name}.':
    'このログには、あなたの知る{name}の鍵を持つ参加者も、{name}という名の参加者もいません。',
  'Nobody in this log has the key of {name} that you know. {other} looks like {name}, and has another key: somebody may be posing.':
    'このログには、あなたの知る{name}の鍵を持つ参加者がいません。{other}は{name}と見た目が似ていますが、鍵が違います。誰かがなりすましているかもしれません。',
  'Nobody rolls before every player has agreed to the digital dice: {missing} must join first.':
    'すべてのプレイヤーが電子的代替品に同意するまで、誰もサイコロを振れません。先に{missing}の参加が必要です。',
  'Not everybody has consented, so {party} has no say in what the others decide.':
    '全員が同意してはいないので、ほかの人が決めることに{party}は加われません。',
  'Nothing in the file could be judged.': 'このファイルには、判定できるものがありませんでした。',
  'Nothing waits for an opening of {author}.': '{author}の開示を待っているロールはありません。',
  'Only a correction names results.': '出目を示すのは訂正の裁定だけです。',
  'Only the holder of a roll can hide what it is for: {holder} would hold this one.':
    '用途を隠せるのはロールの持ち主だけです。このロールの持ち主は{holder}です。',
  'Only {closer}, who opens last before the keeper, or a judge can void this roll, not {author}.':
    'このロールを無効にできるのは、記録係の前に最後に開示する{closer}かジャッジだけで、{author}ではありません。',
  'Only {names} would contribute to this roll; it takes two.': 'このロールに寄与するのが{names}だけになります。2人以上が必要です。',
  'Only {party} can accept the rolls that were made without {party}.': '{party}抜きで行われたロールを承認できるのは{party}だけです。',
  'Only {party} or a judge can say that {party} is back.': '{party}が戻ったと言えるのは、{party}自身かジャッジだけです。',
  'Only {party} or a judge can sign {party} away.': '{party}を不在にできるのは、{party}自身かジャッジだけです。',
  'Only {party} or a judge can take {party} out of the game.': '{party}をゲームから外せるのは、{party}自身かジャッジだけです。',
  'Policy: the cosignatures that it asks for are there, for all {events} events.': '方針: 求められた連署が、全{events}個のイベントについてあること。',
  'Policy: whether its quorum is met is not known. It takes ML-DSA-44 to check the cosignatures of {names}, and this browser does not have it.':
    '方針: 定足数が満たされているかどうかは分かりません。{names}の連署を確かめるにはML-DSA-44が必要ですが、このブラウザにはありません。',
  'Python did not start in this browser.': 'このブラウザーではPythonが起動しませんでした。',
  'Python ended with an error in this browser.': 'このブラウザーでPythonがエラーで終わりました。',
  'Receipts ({names}): the log has all that {keeper} signed in them, up to its first {size} events.':
    '受領証({names}): {keeper}が署名した、最初の{size}個までのイベントがすべてログにあること。',
  'Receipts ({names}): they are about events that do not hold.': '受領証({names}): 成立しないイベントについてのものです。',
  'Roll {roll} cannot be taken back: only the latest roll can, once, before anything is played on it and where nothing of it was rolled again; a judge can still rule it void.':
    'ロール{roll}は取り消せません。取り消せるのは最後のロールだけで、一度だけ、その後に何かが進む前で、振り直しがない場合だけです。ジャッジはまだ無効と裁定できます。',
  'Rules ({system}): whether every event was allowed, and what the dice mean. They are not known here; {command} checks them.':
    'ルール({system}): どのイベントも認められるものであったか、サイコロが何を意味するか。このページはルールを知りません。{command}で検証してください。',
  'Step 1: the event': '手順1: イベント',
  'Step 2: the commitments': '手順2: コミットメント',
  'Step 3: the openings': '手順3: 開示',
  'Step 4: the seed': '手順4: シード',
  'Step 5: the dice': '手順5: サイコロ',
  "The appointment is no act by which an organizer of this table's event made {name} a judge.":
    'この任命は、この卓のイベントの主催者が{name}をジャッジにした行為ではありません。',
  'The body of this {type} is not as the specification has it: {problem}.': 'この{type}の本体は仕様どおりではありません({problem})。',
  'The bytes of this line are not the canonical form of what it says (they differ at byte {at}): two programs could read it in two ways.':
    'この行のバイト列は、その内容の正規形ではありません({at}バイト目で異なります)。読み手によって異なる内容に見えるおそれがあります。',
  "The correction is no act by which an organizer of this table's event gave {name} this key, or stands beside a succession.":
    'この訂正は、この卓のイベントの主催者が{name}にこの鍵を与えた行為ではないか、引き継ぎと並んでいます。',
  'The file is empty.': 'ファイルが空です。',
  'The file is not a Rollproof log: its first line opens no game.':
    'このファイルはRollproofのログではありません。最初の行でゲームが始まっていません。',
  'The game is closed: nothing can be added.': 'ゲームは終了しています。もう何も追加できません。',
  'The game is not closed: it may go on, or its end may be missing from this file.':
    'ゲームは終了していません。まだ続くのか、終わりの部分がこのファイルに欠けているかのどちらかです。',
  "The game's terms are not valid: {problem}.": 'ゲームの条件が正しくありません({problem})。',
  "The host's word for {author} does not hold: the host did not sign it for this key and role.":
    '{author}についてのホストの言葉は成立しません。ホストはこの鍵と役割に対して署名していません。',
  "The host's word here is not for this game: the game has no host, or the word is not for one of its latest {most} lines.":
    'ここにあるのは、このゲームにいないホストの言葉か、直近の{most}行に対するものでない言葉です。',
  'The judge {judge} ruled rolls void ({count}×).': 'ジャッジの{judge}が、ロールを無効と裁定しました({count}回)。',
  'The judge {judge} set results of dice ({count}×).': 'ジャッジの{judge}が、サイコロの結果を定めました({count}回)。',
  'The keeper says that this game goes on from game {game}, after its {events}, root {root}.':
    '記録係の言葉によれば、このゲームはゲーム{game}({events}、ルート{root})の続きです。',
  'The last line has no line feed: the file was cut inside it.': '最後の行に改行がありません。ファイルがその途中で切れています。',
  'The link that {author} gives is not on the chain that {author} committed to.':
    '{author}が示したリンクは、{author}がコミットしたチェーンの上にありません。',
  'The link that {author} opened is not on the chain that {author} committed to.':
    '{author}が開示したリンクは、{author}がコミットしたチェーンの上にありません。',
  'The links give other dice than the reveal says.': 'リンクから導かれる出た目が、公開された出た目と違います。',
  "The log has format '{actual}'; this program reads '{expected}'. Use a newer program to judge it.":
    "ログの形式は'{actual}'ですが、このプログラムが読めるのは'{expected}'です。判定には新しいプログラムを使ってください。",
  "The log was made for the rules '{actual}', which this program does not have.":
    "このログはルール'{actual}'のものですが、このプログラムにはそのルールがありません。",
  'The new key of {name} is one that {other} has, had or is to have.': '{name}の新しい鍵は、{other}のものであるか、あったか、これからなる鍵です。',
  "The opening is not {author}'s for this request: it was changed, or made for another.":
    'この開示は、この要求に対する{author}のものではありません。変更されたか、別の要求のために作られたものです。',
  "The openings here must be of contributors of the roll, in party order, none twice, with {keeper}'s own among them.":
    'ここには、ロールの寄与者の開示が参加者の順に重複なく並び、{keeper}自身のものもその中にあります。',
  'The policy asks for a checkpoint of all {events} events, and none was given.':
    '方針は全{events}個のイベントのチェックポイントを求めていますが、与えられていません。',
  'The policy asks for more cosignatures on all {events} events. Missing: {names}.':
    '方針は全{events}個のイベントへの連署をさらに求めています。足りないもの: {names}。',
  'The policy asks for no witness, so two histories of one game can both meet it: name witnesses in its quorum line, and ask for more than half of them.':
    'この方針は立会人を求めないので、1つのゲームの2つの履歴がどちらもこれを満たせます。quorumの行に立会人を挙げ、その過半数を求めてください。',
  "The policy is split: two sets of witnesses without one in common can each meet {quorum}, so two histories of one game can both meet it though every witness is honest. Ask for more than half of a group's members.":
    'この方針は割れています。共通の立会人のいない2つの組がそれぞれ{quorum}を満たせるので、立会人が皆正直でも、1つのゲームの2つの履歴がどちらもこれを満たせます。グループの過半数を求めてください。',
  'The purpose that {author} gives for the roll is not the one that its request hid.': '{author}の言うロールの用途は、要求に記されたものと違います。',
  'The reveal of a secret roll has openings, and no dice.': '秘密のロールの公開には開示だけがあり、サイコロはありません。',
  'The roll still waits.': 'このロールはまだ待っています。',
  'The roll that {roller} asked for in event {seq} has no dice here: it waits for the openings of {others}, and then for {keeper} to reveal it. {closer} may call it off before opening; a judge can void it.':
    '{roller}がイベント{seq}で求めたロールには、ここではまだサイコロがありません。{others}の開示を、次に{keeper}による公開を待っています。{closer}は開示する前なら取りやめることができ、そうでなければジャッジが無効にします。',
  'The secret that {author} gives is not the one that {author} sealed under number {number}.':
    '{author}の示した秘密は、{author}が番号{number}で封じたものではありません。',
  "The signature of the act about {name} is not that of {by}, an organizer of this table's event.":
    '{name}についての行為の署名は、この卓のイベントの主催者{by}のものではありません。',
  "The signature of this event is not {author}'s: it is not what {author} signed.":
    'このイベントの署名は{author}のものではありません。{author}が署名した内容ではありません。',
  "The succession is not from {name}'s present key to this one, by the recovery key of {name}'s join.":
    '引き継ぎは、{name}の参加にある復旧鍵による、{name}の今の鍵からこの鍵へのものではありません。',
  'The succession to the new key of {name} does not hold.': '{name}の新しい鍵への引き継ぎは有効ではありません。',
  'The time {actual} is before that of the event before, {expected}.': '日時{actual}が、前のイベントの日時{expected}より前になっています。',
  'The {name} of this log has another key than the {name} you know: somebody may be posing.':
    'このログの{name}の鍵は、あなたの知っている{name}の鍵と違います。誰かがなりすましているおそれがあります。',
  "There is no event type '{type}'.": "'{type}'というイベントの種類はありません。",
  'This event belongs to another game, {actual}.': 'このイベントは別のゲーム{actual}のものです。',
  'This event does not follow the line before it: that line was changed, or lines were dropped or swapped.':
    'このイベントは前の行に続いていません。前の行が変更されたか、行が抜かれたか、入れ替えられています。',
  'This game goes on from game {game}: look at that log too.': 'このゲームはゲーム{game}の続きです。そのログも見てください。',
  'This is roll {expected} of the game, not roll {actual}.': 'これはゲームのロール番号{expected}であり、{actual}ではありません。',
  'This is the log of game {actual}, not of the one asked for.': 'これはゲーム{actual}のログであり、指定されたゲームのものではありません。',
  'This line has a null. Nothing in a log is null: a member that has no value is left out.':
    'この行には`null`があります。ログに`null`はありません。値のない項目は書きません。',
  'This line is not an event: {problem}.': 'この行はイベントではありません({problem})。',
  'This line is too long: at most {most} bytes.': 'この行は長すぎます。{most}バイトまでです。',
  'This log does not hold. Up to event {last}: {statement}': 'このログは成り立ちません。イベント{last}までについて: {statement}',
  'What it would have shown is not known: the log has no link of {names} for it.':
    '出たはずの目は分かりません。このロールのための{names}のリンクがログにありません。',
  'What the dice mean is step 6, the rules: {command}.': 'サイコロの意味は手順6のルールです: {command}',
  'When {party} left, {party} still owed the roll of event {request}: it was voided, and never made again.':
    '{party}が抜けたとき、{party}にはイベント{request}のロールがまだ残っていました。そのロールは無効にされ、やり直されていません。',
  "Whether events are missing at the end: compare size and root with the keeper's or another copy.":
    '末尾のイベントが欠けていないか。サイズとルートを、記録係のもの、または別の写しと比べてください。',
  'Whether what was said at the table is what was signed, and whether the clocks were right.':
    'テーブルで言われたことが署名されたとおりであるか、時計が正しかったか。',
  'Whether {author} could ask in event {seq} for something else than what was owed since event {owed}: that takes the rules.':
    '{author}がイベント{seq}で、イベント{owed}以来求めるべきものと違うものを求めてよかったか。それにはルールが必要です。',
  "Who had not opened, by {name}'s word: {names}.": '{name}の言葉では、開示していなかったのは{names}です。',
  'Whose keys these are: compare the keys of {names} with what they gave you, or verify with those.':
    '誰の鍵か: {names}の鍵を本人からもらったものと比べるか、それで検証してください。',
  'a game has at most {most} parties': 'ゲームの参加者は{most}人までです',
  'a game has exactly one keeper and at least one player': 'ゲームには、記録係がちょうど1人と、プレイヤーが1人以上必要です',
  'a group takes all, any or a number from 1 to that of its members, {count}':
    'グループに書けるのは、all、any、または1からメンバーの数({count})までの数です',
  'a judge contributes to no roll': 'ジャッジはどのロールにも寄与しません',
  "an organizer of the event has the keeper's key": 'イベントの主催者の1人が記録係の鍵を持っています',
  bytes: 'バイト列',
  contributor: '寄与者',
  'contributors are parties in party order, each once, the keeper and at least one other':
    '寄与者は、記録係と他に1人以上の参加者を、参加者の順に、それぞれ1回だけ挙げます',
  die: 'サイコロ',
  'each role that may come later stands there once': '後から来られる役割は、それぞれ1回だけ挙げます',
  event: 'イベント',
  'game masters may hold secret rolls, and there is none, now or later': '秘密のロールを持てるのはゲームマスターですが、今も後にも一人もいません',
  gm: 'ゲームマスター',
  head: 'ヘッドジャッジ',
  'in these rules no roll is secret': 'このルールに秘密のロールはありません',
  'in these rules no {role} comes later': 'このルールでは、{role}が後から来ることはありません',
  'it has a number that is no integer within bounds': '範囲内の整数でない数があります',
  'it has half of a character, a lone surrogate': '文字の片割れ(孤立したサロゲート)があります',
  'it has the form: group NAME all|any|K MEMBER…': '形は次のとおりです: group NAME all|any|K MEMBER…',
  'it has the form: log VKEY [URL]': '形は次のとおりです: log VKEY [URL]',
  'it has the form: quorum NAME': '形は次のとおりです: quorum NAME',
  'it has the form: witness NAME VKEY [URL]': '形は次のとおりです: witness NAME VKEY [URL]',
  'it is for another link than the one that {author} has to open': '{author}が開示すべきリンクとは別のリンクのものです',
  'it is for game {game}, not for this one': 'ゲーム{game}のもので、このゲームのものではありません',
  'it is no JSON': 'JSONではありません',
  'it is not UTF-8': 'UTF-8ではありません',
  judge: 'ジャッジ',
  keeper: '記録係',
  limit: '上限',
  'line {number} of the policy: {problem}': '方針の{number}行目: {problem}',
  natural: '出た目',
  'no judge has signed {name} away': '{name}を不在にしたジャッジがいません',
  "no line above defines '{name}'": "'{name}'を定める行が前にありません",
  nobody: 'なし',
  'nobody else has signed {name} away': 'ほかの誰も{name}を離席にしていません',
  'nothing waits for an opening of {author}': '{author}の開示を待っているものはありません',
  number: '数',
  organizer: '主催者',
  'passed over': '飛ばしたもの',
  player: 'プレイヤー',
  sides: '面の数',
  'somebody is called {name} here': 'ここには{name}という呼び名の人がいます',
  'the game names a host who says who comes later, but nobody may come later': 'ホストは後から来る人を決めますが、誰も後から来られません',
  "the host has the keeper's key": 'ホストの鍵が記録係の鍵です',
  "the keeper's judge": '記録係のジャッジ',
  'the key of {name} stands twice': '{name}の鍵が2回現れます',
  "the name '{name}' is taken": "名前'{name}'はすでに使われています",
  'the policy has a control character': '方針に制御文字があります',
  'the policy has no quorum line': '方針にquorumの行がありません',
  'the policy is longer than {most} bytes': '方針が{most}バイトより長いです',
  "the policy's last line has no line feed": '方針の最後の行に改行がありません',
  "the signature is not {receiver}'s": '署名は{receiver}のものではありません',
  'there are more than {most} of a kind': '同じ種類のものが{most}個を超えています',
  'there is a second quorum line': 'quorumの行が二つあります',
  'these rules have no {role}, but {name} is one': 'このルールに{role}はありませんが、{name}がそうなっています',
  'this is not a key of the kind that is needed here: a key has the form name+hash+base64':
    'これはここに書く種類の鍵ではありません。形式はname+hash+base64です',
  'this log does not have the request that it is for': 'このログには、これが対象とする要求がありません',
  tip: '先端',
  'two organizers of the event share a name or a key': 'イベントの主催者のうち2人が、同じ名前か鍵を持っています',
  'two parties are called {name}': '{name}という名前の参加者が2人います',
  witness: '立会人',
  '{actual} is no party of this game: {expected}.': '{actual}はこのゲームの参加者({expected})ではありません。',
  '{author} asked for a {type} in event {seq}, which was voided: {author} asks for the same again before anything else.':
    '{author}がイベント{seq}で求めた{type}は無効にされました。{author}は他の何よりも先に、同じものをもう一度求めます。',
  '{author} asked for {rolls} blind, which {holder} alone saw; {holder} showed {shown} and alone chose which.':
    '{author}は{rolls}をブラインドで求め、目を見たのは{holder}だけです。{holder}はそのうち{shown}個を見せました。どれを見せるかは{holder}だけが選びました。',
  '{author} came later too, and consents when the others have consented to {author}.':
    '{author}も後から来た人で、ほかの人が{author}に同意してから同意できます。',
  '{author} came later, and has no say in this before the others have consented.':
    '{author}は後から来たので、ほかの全員が同意するまではこれを決められません。',
  '{author} came later, and judges nothing before everybody who plays has consented.':
    '{author}は後から来たジャッジで、プレイしている全員が同意するまで何も裁定できません。',
  "{author} commits to a tip that this game has seen: a copy of another's commitment, or a chain used twice.":
    '{author}がコミットした先端は、このゲームですでに使われています。他の参加者のコミットメントの写しか、チェーンの使い回しです。',
  '{author} contributes to no roll of this game, so has nothing to commit to.':
    '{author}はこのゲームのどのロールにも寄与しないので、コミットするものがありません。',
  '{author} gives the next link of the chain that a commit replaces, and none where there was none.':
    'コミットがチェーンを置き換えるときは、{author}がそのチェーンの次のリンクを示し、置き換えるものがなければ示しません。',
  '{author} gives the secret of the last tag of the seal before, and none where there was none.':
    '{author}は前の封印の最後のタグの秘密を示し、前の封印がなければ示しません。',
  '{author} goes on under this key when all others have consented, two or more; so far: {names}.':
    '{author}がこの鍵で続けるには、ほかの全員、二人以上の同意が要ります。これまで：{names}。',
  '{author} has agreed already to take roll {roll} back.': '{author}はロール{roll}の取り消しにすでに同意しています。',
  '{author} has at most {most} unused secrets for rolls.': '{author}の使っていない秘密は{most}個までです。',
  '{author} has called {party} away already.': '{author}はすでに{party}を不在と呼んでいます。',
  '{author} has consented to {party} already.': '{author}はすでに{party}に同意しています。',
  "{author} has consented to {party}'s new key already.": '{author}は{party}の新しい鍵にすでに同意しています。',
  '{author} has joined already.': '{author}はすでに参加しています。',
  '{author} has left the game.': '{author}はすでにゲームから離れています。',
  '{author} has no burned link that is still unknown, so there is none to give here.':
    'ここには、{author}の使い切られてまだ知られていないリンクがないので、示すものはありません。',
  "{author} has not joined: a party's first event is its join.": '{author}はまだ参加していません。各参加者の最初のイベントは参加の表明です。',
  '{author} is a {role}; only a {may} may write {type}.': '{author}は{role}です。{type}を書けるのは{may}だけです。',
  '{author} is alone here, and nobody takes a roll back alone: a judge can rule it void.':
    'ここにいるのは{author}だけで、一人ではロールを取り消せません。ジャッジなら無効と裁定できます。',
  '{author} is away, and says so first when it is back.': '{author}は不在です。戻ったら、まずそう署名します。',
  '{author} is the judge that {keeper} runs, and writes join and void alone, not {type}.':
    '{author}は{keeper}が動かすジャッジで、書くのは参加とロールの取り消しだけです。{type}は書きません。',
  '{author} opened link {actual}; this roll takes link {expected}.':
    '{author}が開示したのはリンク{actual}ですが、このロールで使うのはリンク{expected}です。',
  '{author} shows its own opening, not one of {actual}.': '{author}が見せるのは自分の開示であり、{actual}のものではありません。',
  "{author} signed event {seq}, and {keeper}, the keeper, has not signed over it. {author}'s program need not know the rules. The event is an offer, not a part of this log: nobody is at fault.":
    '{author}がイベント{seq}に署名しました。{author}のプログラムはルールを知らなくてもかまわず、記録係の{keeper}はその先に署名していません。これは申し出であり、このログの一部ではありません。誰の責任でもありません。',
  "{author} signed it; {author}'s program need not know the rules.":
    '署名したのは{author}ですが、{author}のプログラムはルールを知らなくてもかまいません。',
  '{author} signed {party} away ({count}×): while away {party} has no part in the dice.':
    '{author}が{party}を不在にしました({count}回)。不在の間、{party}はサイコロに寄与しません。',
  '{author} signed {party} away ({count}×, first in event {seq}).': '{author}が{party}を不在にしました({count}回、最初はイベント{seq})。',
  '{author} took {party} out of the game (event {seq}).': '{author}が{party}をゲームから外しました(イベント{seq})。',
  '{author} took {party} out of the game: {party} has no part in later dice.':
    '{author}が{party}をゲームから外しました。以後のサイコロに{party}は寄与しません。',
  '{by} closed the game while the roll that {roller} asked for waited: it was left without dice.':
    '{roller}の求めたロールが待っているまま、{by}がゲームを終えました。そのロールにサイコロはありません。',
  '{count} by {name} ({keeper} and {name} together could have known the dice first)':
    '{name}により{count}回({keeper}と{name}が組めば、サイコロを先に知り得ました)',
  '{count} by {name} ({keeper} with {name}, or with {closers}, could have known the dice first)':
    '{name}により{count}回({keeper}が{name}か{closers}と組めば、サイコロを先に知り得ました)',
  '{count} by {name} ({keeper}, who runs {name}, could have known the dice first)':
    '{name}により{count}回({name}を動かす{keeper}は、サイコロを先に知り得ました)',
  '{file} does not hold: {problem}': '{file} は成り立ちません: {problem}',
  '{file} holds: {author} opened link {index} for roll {roll}.':
    '{file} は成り立ちます: {author} はロール{roll}のためにリンク{index}を開示しました。',
  '{file} holds: {receiver} received link {index} of {author} for roll {roll}.':
    '{file} は成り立ちます: {receiver}は、ロール{roll}のための{author}のリンク{index}を受け取りました。',
  '{file} is neither an opening nor a receipt for one (specs/protocol.md).':
    '{file} は開示の形式でも、その受領証の形式でもありません(specs/protocol.md)。',
  '{holder} can hold no secret roll of {author} here.': 'ここで{holder}は{author}の秘密のロールを持てません。',
  '{holder} has no secret left for this roll, and has to seal first.':
    '{holder}にはこのロールに使う秘密が残っていないので、先に封じる必要があります。',
  '{holder} holds {most} secret rolls that are not shown, and shows one first.':
    '{holder}は見せていない秘密のロールを{most}個持っているので、先に1つ見せます。',
  '{holder} owes the secret of a roll that was voided, and shows that first.':
    '{holder}は無効化されたロールの秘密をまだ示していないので、先に示します。',
  '{holder} rolled {rolls} in secret and showed {shown}: {holder} alone chose which.':
    '{holder}は秘密に{rolls}を振り、{shown}個を見せました。どれを見せるかは{holder}だけが選びました。',
  '{holder}, who would hold this roll, is not at the table.': 'このロールの持ち主となる{holder}は、卓にいません。',
  '{keeper} has not signed the line that this file has in its place.': '{keeper}は、このファイルでその場所にあるものには署名していません。',
  "{keeper} let {party} in later, alone (event {seq}): {party} may be {keeper}'s own hand.":
    '{keeper}が、1人で{party}の参加を後から認めました(イベント{seq})。{party}は{keeper}自身かもしれません。',
  '{keeper} runs the judge {judge} too, and could have a roll called off whose dice it knew.':
    '{keeper}はジャッジの{judge}も動かしており、サイコロを知ったうえでロールを取り消させることができました。',
  '{keeper} signed both histories: keep this file and {name}; together they show it to anybody.':
    '{keeper}は両方の履歴に署名しました。このファイルと{name}を保管してください。両方あれば誰にでも示せます。',
  '{keeper}, the keeper of this game, is not one of the keepers that the policy accepts.':
    'このゲームの記録係{keeper}は、方針が認める記録係ではありません。',
  '{keeper}, the keeper, accepted it all the same.': 'それでも記録係の{keeper}はこれを受け入れました。',
  '{keeper}, the keeper, has not signed over the events from event {seq} on; only their authors vouch for them.':
    '記録係の{keeper}は、イベント{seq}以降にまだ続けて署名していません。それを保証しているのは各イベントの作成者だけです。',
  '{keeper}, the keeper, knows them, and accepted it all the same.': '記録係の{keeper}はルールを知っていながら、これを受け入れました。',
  "{keeper}, the keeper, let {party} in alone: {party} may be {keeper}'s own hand.":
    '記録係の{keeper}が、1人で{party}の参加を認めました。{party}は{keeper}自身かもしれません。',
  '{keeper}, the keeper, let {party} in as a judge: {organizer}, an organizer of the event, signed it.':
    '記録係の{keeper}が{party}をジャッジとして加えました。イベントの主催者{organizer}が署名しています。',
  "{keeper}, the keeper, let {party} in by the host's word.": '記録係の{keeper}が、ホストの言葉によって{party}の参加を認めました。',
  '{keeper}, the keeper, signed in {name} for a history of {size} events that this log does not have.':
    '記録係{keeper}は{name}で、このログにはない{size}個のイベントの履歴に署名しています。',
  '{keeper}, the keeper, signed in {name} for {size} events; this file has {events}: its end is missing.':
    '記録係{keeper}は{name}で{size}個のイベントに署名していますが、このファイルには{events}個しかありません。末尾が欠けています。',
  '{keeper}, the keeper, signed over it.': '記録係の{keeper}は、これに続けて署名しました。',
  '{keeper}, who could have known its dice, closed the game before the roll of {roller} had any.':
    '{roller}のロールにサイコロが出る前に、それを知り得た{keeper}がゲームを終えました。',
  '{names} together took back the roll that {roller} had asked for in event {request}; its dice showed {naturals}.':
    '{names}は、{roller}がイベント{request}で求めたロールを一緒に取り消しました。出た目は{naturals}でした。',
  '{names} together took back {rolls} after their dice were shown (first in event {seq}).':
    '{names}は、サイコロが公開された後に{rolls}を一緒に取り消しました(最初はイベント{seq})。',
  '{name} has no link left for this roll: {name} must commit to a seed chain first.':
    '{name}には、このロールに使えるリンクが残っていません。先に{name}がシード・チェーンをコミットしなければなりません。',
  '{name} has no signature of {keeper}, the keeper, that holds: anybody could have written it.':
    '{name}には、記録係{keeper}の正しい署名がありません。誰にでも書けるものです。',
  '{name} has not shown {rolls} that {name} holds in secret: only {name} knows the dice.':
    '{name}が秘密に持つ{rolls}は見せられていません。サイコロを知るのは{name}だけです。',
  '{name} has the key of {other}': '{name}の鍵は{other}の鍵です',
  '{name} has the same key as another party': '{name}の鍵が別の参加者の鍵と同じです',
  '{name} is a receipt of another game: it says nothing about this one.': '{name}は別のゲームの受領証です。このゲームについては何も示しません。',
  '{name} is called like {other}: {text}': '{name}の呼び名が{other}と同じです: {text}',
  "{name} is no party of this log: {name}'s key plays as {other}.":
    '{name}はこのログの参加者ではありません。{name}の鍵は{other}としてプレイしています。',
  '{name} is no party that is away': '{name}は離席中の参加者ではありません',
  '{name} is not a checkpoint of a game.': '{name}はゲームのチェックポイントではありません。',
  '{name} is the name of a party': '{name}はすでに参加者の名前です',
  '{name} looks like {other}': '{name}は{other}と紛らわしい名前です',
  "{name} opened for {rolls} that {name} voided: both are signed with {name}'s key, and who closes a roll does not do both.":
    '{name}は、自ら無効にした{rolls}に対して開示していました。どちらにも{name}の鍵の署名があり、ロールを閉じる者は両方をしません。',
  "{name} opened for {rolls} that {name} voided: the keeper's disclose has the opening. Both are signed with {name}'s key, and who closes a roll does not do both: {keeper}, the keeper, and {name} together could have known the dice first. Ask {name} who has that key.":
    '{name}は、自ら無効にした{rolls}に対して開示していました。その開示は記録係が明かしたものの中にあります。どちらにも{name}の鍵の署名があり、ロールを閉じる者は両方をしません。記録係の{keeper}と{name}が組めば、サイコロを先に知ることができました。その鍵を誰が持っているか、{name}に尋ねてください。',
  '{name} opened link {index} for this request; it must lead to link {known}, seen in event {seq}.':
    '{name}はこの要求のためにリンク{index}を開示しました。これはイベント{seq}で示されたリンク{known}に行き着かなければなりません。',
  '{name} shows openings that {judge} called missing ({count}×). Either {keeper}, who runs {judge}, had them, and knew the dice when the roll was called off, or they were lost on their way. Ask both, and whoever has a receipt for one.':
    '{judge}が届いていないとした開示を{name}が見せています({count}回)。{judge}を動かす{keeper}がそれを持っていて、取り消した時に出目を知っていたか、途中で失われたかのどちらかです。両者と、受領証を持つ人に尋ねてください。',
  '{name} shows openings that {judge} called missing ({count}×, first in event {seq}).':
    '{judge}が届いていないとした開示を{name}が見せています({count}回、最初はイベント{seq})。',
  '{name} voided {rolls}.': '{name}が無効にしたロール: {rolls}。',
  '{name} was let in with the key that you know, and has not joined.': '{name}はご存じの鍵で参加を認められましたが、まだ参加していません。',
  '{name}, whom the keeper runs as a judge, is none here': '記録係がジャッジとして動かすという{name}は、ここではジャッジではありません',
  '{others} had no part in these dice: {names} together could have chosen them.':
    '{others}はこれらの出た目に寄与していません。{names}が共謀すれば選ぶことができました。',
  '{party} came later, appointed by {organizer}, an organizer of the event (event {seq}).':
    '{party}は、イベントの主催者{organizer}の任命によって後から来ました(イベント{seq})。',
  "{party} came later, by the host's word (event {seq}).": '{party}は、ホストの言葉によって後から来ました(イベント{seq})。',
  '{party} goes on because others said so, and accepts no rolls.': '{party}はほかの人の言葉で続けているので、ロールを認められません。',
  '{party} goes on under a new key, by the word of {names} (event {seq}): {party} may be somebody else now.':
    '{party}は{names}の言葉により新しい鍵で続けています（イベント{seq}）。{party}は今は別の人かもしれません。',
  "{party} goes on under a new key, by {party}'s recovery key (event {seq}).":
    '{party}は{party}の復旧鍵により新しい鍵で続けています（イベント{seq}）。',
  '{party} goes on under a new key: {names} consented to it. {party} may be somebody else now.':
    '{party}は新しい鍵で続けています：{names}が同意しました。{party}は今は別の人かもしれません。',
  '{party} goes on under a new key: {organizer}, an organizer of the event, corrected the key, and the judge {judge} had signed {party} away. {party} may be somebody else now.':
    '{party}は新しい鍵で続けています：イベントの主催者{organizer}が鍵を訂正し、ジャッジの{judge}が{party}を不在にしていました。{party}は今は別の人かもしれません。',
  "{party} goes on under a new key: {party}'s recovery key signed for it.": '{party}は新しい鍵で続けています：{party}の復旧鍵が署名しました。',
  '{party} has left already.': '{party}はすでに離れています。',
  '{party} is no party of this game.': '{party}はこのゲームの参加者ではありません。',
  '{party} is not a contributor who could be away.': '{party}は不在になり得る参加者ではありません。',
  '{party} is not at the table.': '{party}は席にいません。',
  '{party} is not away.': '{party}は不在ではありません。',
  '{party} keeps the log and cannot leave; close the game instead.': '{party}はログの記録係なので離れられません。代わりにゲームを終了してください。',
  '{party}, whom event {admit} admits, needs no consent.': 'イベント{admit}で参加を認められた{party}に、同意はもう要りません。',
  '{receiver} is no party of this game': '{receiver}はこのゲームの参加者ではありません',
  '{rolls} without dice and without the link of {name}: what would have been shown is not known.':
    'サイコロも{name}のリンクもないロールが{rolls}あり、出たはずの目は分かりません。',
  '{text} is no verifier key that is valid': '{text}は有効な検証鍵ではありません',
};
