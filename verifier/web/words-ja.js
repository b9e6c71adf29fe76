/**
 * The Japanese of each template, in the words of `rollproof verify --lang ja` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const JAPANESE = {
  'A close has the openings of the request that waits, and no openings if none waits.':
    'クローズには、待っている要求の開示があり、何も待っていなければ開示はありません。',
  'A correction names each die once.':
    '訂正で1個のサイコロを2回挙げることはできません。',
  'A judge ruled about it: read the notices.':
    '審判がこれについて裁定しています。通知を読んでください。',
  'A log begins with its only open; this is event {seq}.':
    '`open`はログの最初に1つだけあります。これはイベント{seq}です。',
  'A name is anybody’s. Compare each key with the one that its owner gave you.':
    '名前は誰でも名乗れます。それぞれの鍵を、本人から受け取ったものと比べてください。',
  'A penalty names a party; other rulings name none.':
    '参加者を指名するのは懲罰の裁定であり、懲罰の裁定だけです。',
  'A policy is for a log or a proof: choose that too.':
    '方針はログか証明に使うものです。それも選んでください。',
  'A proof of a roll that does not hold shows nothing.':
    '成り立たないロールの証明は、何も示しません。',
  'A proof of one event is checked with its log, or with what you know: the id of the game, the keeper’s key and the number of the event. Type them, one a line.':
    '1つのイベントの証明は、そのログか、あなたの知っていること(ゲームのID、記録係の鍵、イベントの番号)と照らし合わせます。1行に1つずつ入力してください。',
  'A receipt is compared with a log: choose the log too.':
    '受領証はログと比べるものです。ログも選んでください。',
  'A reveal has one opening of each contributor, in party order.':
    '公開には、各寄与者の開示が、参加者の順に1つずつ必要です。',
  'A roll waits for its dice: only its reveal or void can come now, not {type}.':
    'あるロールがサイコロを待っています。今できるのはその公開か無効化だけで、{type}はできません。',
  'A roll was voided, and {keeper}, the keeper, has not yet disclosed what was opened for it.':
    'あるロールが無効にされましたが、記録係の{keeper}は、そのために開示されたものをまだ明かしていません。',
  'A roll was voided: {keeper} must disclose what was opened for it before {type}.':
    'ロールが無効にされました。{type}の前に、記録係の{keeper}がそのために開示されたものを明かさなければなりません。',
  'A ruling is about an earlier event; {subject} is none.':
    '裁定の対象は、それより前のイベントです。{subject}は違います。',
  'A ruling of {judge} about this roll: {ruling}. {text}':
    'このロールについての{judge}の裁定: {ruling}。{text}',
  'A secret roll of {holder}: its seed takes a secret that only {holder} knows, and so do its dice.':
    '{holder}の秘密のロールです。シードには{holder}だけが知る秘密が入り、サイコロもそうです。',
  'A show has the naturals of a roll that was revealed, and none of one that was voided.':
    '公開されたロールを見せるときには出た目があり、無効化されたロールにはありません。',
  'A show of a secret roll is checked against a log: choose the log too.':
    '秘密のロールを見せるファイルは、ログと照らし合わせて検証します。ログも選んでください。',
  'A show says what its roll was for, with the salt, if the roll hid this, and only then.':
    '用途を隠したロールを見せるときだけ、ソルトと用途を示します。',
  'A void by the holder of a secret roll has its secret, and no other void has one.':
    '秘密のロールの持ち主による無効化にはその秘密があり、ほかの無効化にはありません。',
  'A void names contributors of its roll as missing, in party order, none twice.':
    '無効化は、そのロールの寄与者だけを、参加者の順に、重複なく、未開示者として挙げます。',
  'All its links are known by now. It takes the rules to know which dice the request draws: {command} says what it would have shown.':
    'すべてのリンクがすでに分かっています。この要求がどのサイコロを引くかにはルールが必要です。何が出たはずかは{command}が示します。',
  'An opening is checked against a log: choose the log too.':
    '開示はログと照らし合わせるものです。ログも選んでください。',
  'Anything from event {seq} on: it rests on an event that does not hold.':
    'イベント{seq}以降のすべて。成り立たないイベントの上にあるためです。',
  'Both statements are about the same event {index}: they do not contradict each other.':
    '二つの言明はどちらも同じイベント{index}についてのもので、何も食い違っていません。',
  'Both statements: each leads by hashes to a signature that {accused} made.':
    '二つの言明: どちらもハッシュをたどって{accused}の署名に行き着くこと。',
  'By hand':
    '手作業で',
  'The keeper says that this game goes on from game {game}, after its {events}, root {root}.':
    '記録係の言葉によれば、このゲームはゲーム{game}({events}、ルート{root})の続きです。',
  'COULD NOT BE FINISHED: whether it holds is not known':
    '終わりまで検証できず: 正しいかどうかは分かりません',
  'COULD NOT BE READ as a log':
    'ログとして読めません',
  'Called off before the dice were shown: {rolls}, {each}.':
    'サイコロが公開される前に取りやめ: {rolls}、{each}。',
  'Checked':
    '検証したこと',
  'Choose a file':
    'ファイルを選ぶ',
  'Dice ({rolls}): every opening leads to its commitment; the naturals follow from the links.':
    'サイコロ({rolls}): すべての開示がそのコミットメントに行き着き、出た目はリンクから導かれます。',
  'Dice of {rolls}: nobody could choose or predict them unless ALL of {names} worked together.':
    '{rolls}のサイコロ: {names}の全員が共謀しないかぎり、誰もその出た目を選んだり予測したりできませんでした。',
  'Each natural is the number mod the sides, plus 1; numbers from the limit on are passed over.':
    '出た目は、数を面の数で割った余りに1を足したものです。上限以上の数は飛ばします。',
  'Event 0, which fixes the game and the key of {accused}.':
    'ゲームと{accused}の鍵を定めるイベント0。',
  'Event 0, which fixes the game and the keys; that {keeper} signed that these lines stand in it.':
    'ゲームと鍵を定めるイベント0。そして、これらの行がそのゲームにあると{keeper}が署名したこと。',
  'Event {admit} admits nobody.':
    'イベント{admit}は誰も参加を認めていません。',
  'Event {ended} voids that roll, by {author}: who opens a roll may not call it off. That is proof.':
    'イベント{ended}でそのロールを無効にしたのは{author}自身です。開示した者は取りやめてはなりません。これは証拠です。',
  'Event {ended}, a {how}, and what follows it lack the opening: {receiver} kept it back. That is proof.':
    'イベント{ended}({how})にも、その後にもこの開示がありません。{receiver}はこれを伏せました。これは証拠です。',
  'Event {ended}, a {how}, ended that roll without it.':
    'このロールは、この開示なしにイベント{ended}({how})で終わっています。',
  'Event {ended}, by {by}, voids that roll and names {author} as missing. Ask both how it was sent.':
    'イベント{ended}で{by}がそのロールを無効にし、{author}を未開示者として挙げています。どのように送られたか、双方に尋ねてください。',
  'Event {ended}, by {by}, voids that roll; the opening stands in the keeper\'s disclose after it.':
    'イベント{ended}で{by}がそのロールを無効にしました。この開示は、その後に記録係が明かしたものの中にあります。',
  'Event {expected} should stand here, but this is event {actual}: lines are missing, doubled or out of order.':
    'ここにはイベント{expected}があるはずですが、これはイベント{actual}です。行が欠けているか、重複しているか、順序が違っています。',
  'Event {index} is a secret roll, of which this is no proof.':
    'イベント{index}は秘密のロールで、これはその証明になりません。',
  'Event {index} says that {author} signed it, but {author} did not.':
    'イベント{index}は{author}のものとありますが、{author}の署名ではありません。',
  'Event {request} is no roll that {judge} called off with {author} as missing; or {author} has written something else since.':
    'イベント{request}は、{judge}が{author}を未開示として取り消したロールではないか、{author}がその後ほかのイベントを書いています。',
  'Event {request} is no secret roll that {author} holds and has not shown.':
    'イベント{request}は、{author}が持ち、まだ見せていない秘密のロールではありません。',
  'Event {seq}, {type}, signed by {author} at {time}; its leaf hash is {leaf}.':
    'イベント{seq}、{type}。{author}が{time}に署名しました。リーフ・ハッシュは{leaf}です。',
  'Events 0 to {last}: form, order, chain, and that each was signed with its author\'s key.':
    'イベント0から{last}まで: 形式、順序、つながり、およびそれぞれが作成者の鍵で署名されていること。',
  'Everybody who had to consent has consented (event {seq}).':
    '同意すべき全員が同意しました(イベント{seq})。',
  'Evidence that does not hold shows nothing about anybody.':
    '成立しない証拠は、誰についても何も示しません。',
  'FAILS (something is wrong) at event {seq} of {events}; the events before it hold':
    '不成立(どこかが誤っています): {events}個のうちイベント{seq}。それより前のイベントは成り立っています',
  'FAILS (something is wrong): its {events} events hold, but not with what was given beside them':
    '不成立(どこかが誤っています): {events}個のイベントは成立しますが、添えられたものと合いません',
  'Fair: nobody could choose or predict it unless ALL of {names} worked together.':
    '公正: {names}の全員が共謀しないかぎり、誰も選ぶことも予測することもできませんでした。',
  'File':
    'ファイル',
  'Findings and notices':
    '指摘と通知',
  'Game':
    'ゲーム',
  'Give this page the log of a game. It checks every signature, every link and every die, on this device: nothing is sent anywhere.':
    'ゲームのログをこのページに渡してください。すべての署名、リンク、サイコロをこの端末で検証します。どこにも何も送りません。',
  'HOLDS, {events}':
    '成立、{events}',
  'HOLDS: {keeper} signed that this is event {seq} of game {game}, among {size}:':
    '成立: これがゲーム{game}の全{size}個のうちのイベント{seq}であると、{keeper}が署名しています:',
  "The host's word here is not for this game: the game has no host, or the word is not for one of its latest {most} lines.":
    'ここにあるのは、このゲームにいないホストの言葉か、直近の{most}行に対するものでない言葉です。',
  "The openings here must be of contributors of the roll, in party order, none twice, with {keeper}'s own among them.":
    'ここには、ロールの寄与者の開示が参加者の順に重複なく並び、{keeper}自身のものもその中にあります。',
  'In event {ended} {receiver} nevertheless says that {author} had not opened. That is proof.':
    'それでもイベント{ended}で{receiver}は、{author}が開示していなかったと言っています。これは証拠です。',
  'In event {seq} {author} closes the game while the request waits. No dice count.':
    'イベント{seq}で{author}は、要求が待っているままゲームを終えました。数えるサイコロはありません。',
  'In event {seq} {author} voids the request. Its links are used up, and no dice count.':
    'イベント{seq}で{author}がこの要求を無効にしました。リンクは使い切られ、数えるサイコロはありません。',
  'In this game no roll is secret, so {author} writes no {type}.':
    'このゲームに秘密のロールはないので、{author}は{type}を書けません。',
  'In this game no roll is secret.':
    'このゲームに秘密のロールはありません。',
  'It could not be finished: {text}':
    '終えることができませんでした: {text}',
  'It does not show the dice of event {index}, by {keeper}.':
    '{keeper}によるイベント{index}のサイコロがありません。',
  'It does not show what {author} committed to before the roll.':
    'ロールの前に{author}がコミットしたものがありません。',
  'It has no dice here: its openings are not all in this log.':
    'ここにサイコロの目はありません。このログには開示がそろっていません。',
  'It is a second program, written from the specification alone, that shares nothing with rollproof verify. It does not know the rules of the games: rollproof verify says whether an event was allowed and what the dice mean.':
    'これは仕様だけから書かれた2つ目のプログラムで、rollproof verifyとは何も共有していません。ゲームのルールは知りません。イベントが認められるものであったか、サイコロが何を意味するかは、rollproof verifyが示します。',
  'It is not about one roll: it has {count} requests for dice.':
    '1つのロールの証明ではありません。サイコロの要求が{count}件あります。',
  'It shows nothing about anybody.':
    'これは誰についても何も示しません。',
  'It stands in event {ended}, a {how}.':
    'この開示はイベント{ended}({how})にあります。',
  'Its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it.':
    'そのチェックポイントには、記録係の{keeper}の有効な署名がありません。誰にでも書けるものです。',
  'Its checkpoint is of another game than its event 0.':
    'そのチェックポイントは、イベント0とは別のゲームのものです。',
  'Its dice follow from secrets that were fixed before the roll. It is one roll of a game, which somebody chose to show.':
    'サイコロは、ロールの前に定まっていた秘密から導かれています。これは、誰かが選んで見せている、ゲームの中の1つのロールです。',
  'It was for: {text}':
    '何のためだったか: {text}',
  'Its event 0 does not hold, so it shows nothing: {problem}':
    'イベント0が成立しないので、何も示しません: {problem}',
  'Its events hold. It lacks what the policy asks for.':
    'イベントは成り立ちます。方針が求めるものが足りません。',
  'Its events hold. Whether the policy is met cannot be checked here.':
    'イベントは成り立ちます。方針が満たされているかどうかは、ここでは確かめられません。',
  'Keys':
    '鍵',
  'Links and secret give other dice than the show says.':
    'リンクと秘密から出るサイコロは、見せられたものと違います。',
  'Made without {name}, whom somebody else had signed away. {name} has accepted it.':
    '{name}抜きで行われました。{name}は他の人によって不在とされていました。{name}はこれを承認しました。',
  'Made without {name}, whom somebody else had signed away. {name} has not accepted it.':
    '{name}抜きで行われました。{name}は他の人によって不在とされていました。{name}はこれを承認していません。',
  'Made without {party}, whom somebody else had signed away: {rolls}. {party} has accepted {accepted} of them; the others count in no luck and no season.':
    '{party}は他の人によって不在とされ、{party}抜きで行われたもの: {rolls}。{party}はそのうち{accepted}件を承認しました。残りは運の統計にもシーズンにも数えません。',
  'Made without {party}, whom somebody else had signed away: {rolls}; {party} has accepted {accepted}.':
    '{party}は他の人によって不在とされ、{party}抜きで行われたもの: {rolls}。{party}が承認したもの: {accepted}。',
  'Naturals are what the dice showed, before the rules of the game. Open a roll to see why it was fair, and to redo it by hand.':
    'ここにあるのは、ゲームのルールが関わる前の、サイコロの出た目です。ロールを開くと、なぜ公正なのかを確かめ、手作業でやり直せます。',
  'No dice were rolled, and no player is left to roll any.':
    'サイコロは1個も振られておらず、振るプレイヤーももう残っていません。',
  'No dice yet: it waits for the openings of {others}, and then for {keeper} to reveal it.':
    'サイコロ待ち: {others}の開示と、その後の{keeper}による公開を待っています。',
  'No dice: {by} called it off in event {end}.':
    'サイコロなし: {by}がイベント{end}で取り消しました。',
  'No dice: {by}, who had opened for it already, called it off in event {end}.':
    'サイコロなし: すでに開示していた{by}が、イベント{end}で取り消しました。',
  'No roll waits for dice, so there is nothing to {type}.':
    'サイコロを待っているロールがないので、{type}はできません。',
  'No roll was voided, so there is nothing to disclose.':
    '無効にされたロールはないので、明かすものはありません。',
  'No {role} comes later to this game.':
    'このゲームに、{role}が後から来ることはできません。',
  'Nobody can come in with this key: {problem}.':
    'この鍵では参加できません: {problem}。',
  'Nobody comes later before everybody has joined: {missing} must join first.':
    '全員が参加するまで、後から来る人は入れません。{missing}の参加が先です。',
  'Nobody could choose or predict these dice unless ALL of {names} worked together.':
    '{names}の全員が共謀しないかぎり、誰もこれらの出た目を選ぶことも予測することもできませんでした。',
  'Nobody goes on under a new key before everybody has joined: {missing} must join first.': '全員が参加するまで、誰も新しい鍵で続けられません：先に{missing}が参加します。',
  'Nobody goes on under this key: {problem}.': 'この鍵では続けられません：{problem}。',
  'Nobody in this game has the key {key}.':
    'このゲームに鍵{key}の参加者はいません。',
  'Nobody in this log has the key of {name} that you know, and no party is called {name}.':
    'このログには、あなたの知る{name}の鍵を持つ参加者も、{name}という名の参加者もいません。',
  'Nobody in this log has the key of {name} that you know. {other} looks like {name}, and has another key: somebody may be posing.':
    'このログには、あなたの知る{name}の鍵を持つ参加者がいません。{other}は{name}と見た目が似ていますが、鍵が違います。誰かがなりすましているかもしれません。',
  'Nobody rolls before every player has agreed to the digital dice: {missing} must join first.':
    'すべてのプレイヤーが電子的代替品に同意するまで、誰もサイコロを振れません。先に{missing}の参加が必要です。',
  'Not checked':
    '検証していないこと',
  'Not everybody has consented, so {party} has no say in what the others decide.':
    '全員が同意してはいないので、ほかの人が決めることに{party}は加われません。',
  'Not shown to be fair: event {seq}, which should end it, does not hold.':
    '公正とは示されていません。これを終えるはずのイベント{seq}が成り立ちません。',
  'Nothing in it was changed, and its dice follow from secrets that were fixed before each roll.':
    '何も書き換えられておらず、サイコロの目は、振る前に決められていた秘密から導かれています。',
  'Nothing in it was changed. It shows no dice.':
    '何も書き換えられていません。サイコロの目はありません。',
  'Nothing in the file could be judged.':
    'このファイルには、判定できるものがありませんでした。',
  'Nothing in this file could be judged.':
    'このファイルでは何も判定できませんでした。',
  'Nothing waits for an opening of {author}.':
    '{author}の開示を待っているロールはありません。',
  'Nothing was verified, because the policy cannot be used: {problem}':
    '方針が使えないため、何も検証しませんでした: {problem}',
  'One log at a time: {name} is verified, the others are left out.':
    'ログは一度に1つです。{name}を検証し、ほかは使いません。',
  'One roll':
    '1つのロール',
  'Only a correction names results.':
    '出目を示すのは訂正の裁定だけです。',
  'Only the holder of a roll can hide what it is for: {holder} would hold this one.':
    '用途を隠せるのはロールの持ち主だけです。このロールの持ち主は{holder}です。',
  'Only {closer}, who opens last before the keeper, or a judge can void this roll, not {author}.':
    'このロールを無効にできるのは、記録係の前に最後に開示する{closer}かジャッジだけで、{author}ではありません。',
  'Only {names} would contribute to this roll; it takes two.':
    'このロールに寄与するのが{names}だけになります。2人以上が必要です。',
  'Only {party} can accept the rolls that were made without {party}.':
    '{party}抜きで行われたロールを承認できるのは{party}だけです。',
  'Only {party} or a judge can say that {party} is back.':
    '{party}が戻ったと言えるのは、{party}自身かジャッジだけです。',
  'Only {party} or a judge can sign {party} away.':
    '{party}を不在にできるのは、{party}自身かジャッジだけです。',
  'Only {party} or a judge can take {party} out of the game.':
    '{party}をゲームから外せるのは、{party}自身かジャッジだけです。',
  'Policy: the cosignatures that it asks for are there, for all {events} events.':
    '方針: 求められた連署が、全{events}個のイベントについてあること。',
  'Policy: whether its quorum is met is not known. It takes ML-DSA-44 to check the cosignatures of {names}, and this browser does not have it.':
    '方針: 定足数が満たされているかどうかは分かりません。{names}の連署を確かめるにはML-DSA-44が必要ですが、このブラウザにはありません。',
  'Proofs and openings':
    '証明と開示',
  'Receipts ({names}): the log has all that {keeper} signed in them, up to its first {size} events.':
    '受領証({names}): {keeper}が署名した、最初の{size}個までのイベントがすべてログにあること。',
  'Receipts ({names}): they are about events that do not hold.':
    '受領証({names}): 成立しないイベントについてのものです。',
  'Rolls ({count})':
    'ロール({count}件)',
  'Rolls were called off, left without dice, ruled void or corrected: read the notices.':
    '取り消された、サイコロのないまま残された、無効と裁定された、または訂正されたロールがあります。通知を読んでください。',
  'Rules ({system}): whether every event was allowed, and what the dice mean. They are not known here; {command} checks them.':
    'ルール({system}): どのイベントも認められるものであったか、サイコロが何を意味するか。このページはルールを知りません。{command}で検証してください。',
  'Show {count} more of {left}':
    '残り{left}件のうち{count}件を表示',
  'Size and root of the log':
    'ログのサイズとルート',
  'Size and root of what holds':
    '成り立つ部分のサイズとルート',
  'Something in this file is not as it was signed. No signature shows who made the flaw: anybody who had the file can have made it.':
    'このファイルには、署名されたとおりでないところがあります。その欠陥の裏に誰の鍵もありません。ファイルを持っていた人なら誰でも作れたものです。',
  'Statement {number} does not hold, so there is no evidence.':
    '陳述{number}が成り立たないため、証拠はありません。',
  'Step 1: the event':
    '手順1: イベント',
  'Step 2: the commitments':
    '手順2: コミットメント',
  'Step 3: the openings':
    '手順3: 開示',
  'Step 4: the seed':
    '手順4: シード',
  'Step 5: the dice':
    '手順5: サイコロ',
  "That this roll took these links of their chains, and its number, is {keeper}'s word: the log shows it.":
    'このロールがチェーンのこれらのリンクを使ったことと、ロールの番号は、{keeper}の言葉です。ログを見れば分かります。',
  'The appointment is no act by which an organizer of this table\'s event made {name} a judge.': 'この任命は、この卓のイベントの主催者が{name}をジャッジにした行為ではありません。',
  'The body of this {type} is not as the specification has it: {problem}.':
    'この{type}の本体は仕様どおりではありません({problem})。',
  'The bytes of this line are not the canonical form of what it says (they differ at byte {at}): two programs could read it in two ways.':
    'この行のバイト列は、その内容の正規形ではありません({at}バイト目で異なります)。読み手によって異なる内容に見えるおそれがあります。',
  'The correction is no act by which an organizer of this table\'s event gave {name} this key, or stands beside a succession.': 'この訂正は、この卓のイベントの主催者が{name}にこの鍵を与えた行為ではないか、承継と並んで書かれています。',
  'The dice that it shows are not those of event {index}.':
    '示されたサイコロは、イベント{index}のものではありません。',
  'The dice were fair; a judge put another result in their place.':
    'サイコロは公正でした。ジャッジが別の結果に置き換えました。',
  'The dice were fair; a judge ruled the roll void.':
    'サイコロは公正でした。ジャッジがこのロールを無効と裁定しました。',
  'The dice, which follow from these links: {dice}.':
    'これらのリンクから導かれるサイコロ: {dice}。',
  'The fault is with the key of {fault}, which signed this or signed over it.':
    '責任は{fault}の鍵にあります。その鍵が、これに、またはこれを含む履歴に署名しました。',
  'The file is empty.':
    'ファイルが空です。',
  'The file is not a Rollproof log: its first line opens no game.':
    'このファイルはRollproofのログではありません。最初の行でゲームが始まっていません。',
  'The file that was saved at the table (*.jsonl), or that of an event (*.bundle). If more files came with it, choose them all.':
    '卓で保存したファイル(*.jsonl)か、イベントのファイル(*.bundle)です。ほかのファイルも一緒に届いたら、すべて選んでください。',
  'The game is closed: nothing can be added.':
    'ゲームは終了しています。もう何も追加できません。',
  'The game is not closed: it may go on, or its end may be missing from this file.':
    'ゲームは終了していません。まだ続くのか、終わりの部分がこのファイルに欠けているかのどちらかです。',
  'The game\'s terms are not valid: {problem}.':
    'ゲームの条件が正しくありません({problem})。',
  'The host\'s word for {author} does not hold: the host did not sign it for this key and role.':
    '{author}についてのホストの言葉は成立しません。ホストはこの鍵と役割に対して署名していません。',
  'The judge {judge} ruled rolls void ({count}×).':
    'ジャッジの{judge}が、ロールを無効と裁定しました({count}回)。',
  'The judge {judge} set results of dice ({count}×).':
    'ジャッジの{judge}が、サイコロの結果を定めました({count}回)。',
  'The last line has no line feed: the file was cut inside it.':
    '最後の行に改行がありません。ファイルがその途中で切れています。',
  'The line that it gives for event {index} is no event: {problem}':
    'イベント{index}として示された行はイベントではありません: {problem}',
  'The line that it gives for event {index} is not in what {keeper} signed.':
    'イベント{index}として示された行は、{keeper}が署名したものの中にありません。',
  'The line that it gives for event {index} is not that event of this game.':
    'イベント{index}として示された行は、このゲームのそのイベントではありません。',
  'The link that {author} gives is not on the chain that {author} committed to.':
    '{author}が示したリンクは、{author}がコミットしたチェーンの上にありません。',
  'The link that {author} opened is not on the chain that {author} committed to.':
    '{author}が開示したリンクは、{author}がコミットしたチェーンの上にありません。',
  'The links give other dice than it shows.':
    'リンクから導かれる出た目が、示された出た目と違います。',
  'The links give other dice than the reveal says.':
    'リンクから導かれる出た目が、公開された出た目と違います。',
  'The log has format \'{actual}\'; this program reads \'{expected}\'. Use a newer program to judge it.':
    'ログの形式は\'{actual}\'ですが、このプログラムが読めるのは\'{expected}\'です。判定には新しいプログラムを使ってください。',
  'The log was made for the rules \'{actual}\', which this program does not have.':
    'このログはルール\'{actual}\'のものですが、このプログラムにはそのルールがありません。',
  'The new key of {name} is one that {other} has, had or is to have.': '{name}の新しい鍵は、{other}のものであるか、あったか、これからなる鍵です。',
  'The opening is not {author}\'s for this request: it was changed, or made for another.':
    'この開示は、この要求に対する{author}のものではありません。変更されたか、別の要求のために作られたものです。',
  'The openings of its dice are not those of parties who have a part in them: {names}.':
    'そのサイコロの開示は、サイコロに関わる参加者のものではありません: {names}。',
  'The policy asks for a checkpoint of all {events} events, and none was given.':
    '方針は全{events}個のイベントのチェックポイントを求めていますが、与えられていません。',
  'The policy asks for more cosignatures on all {events} events. Missing: {names}.':
    '方針は全{events}個のイベントへの連署をさらに求めています。足りないもの: {names}。',
  'The policy asks for no witness, so two histories of one game can both meet it: name witnesses in its quorum line, and ask for more than half of them.':
    'この方針は立会人を求めないので、1つのゲームの2つの履歴がどちらもこれを満たせます。quorumの行に立会人を挙げ、その過半数を求めてください。',
  'The policy is split: two sets of witnesses without one in common can each meet {quorum}, so two histories of one game can both meet it though every witness is honest. Ask for more than half of a group\'s members.':
    'この方針は割れています。共通の立会人のいない2つの組がそれぞれ{quorum}を満たせるので、立会人が皆正直でも、1つのゲームの2つの履歴がどちらもこれを満たせます。グループの過半数を求めてください。',
  'The request, signed by {author}; the openings of {names} for this very roll; what they had committed to.':
    '{author}が署名した要求。まさにこのロールのための{names}の開示。その前にコミットされていたもの。',
  'The reveal of a secret roll has openings, and no dice.':
    '秘密のロールの公開には開示だけがあり、サイコロはありません。',
  'The roll still waits.':
    'このロールはまだ待っています。',
  'The roll that {roller} asked for in event {seq} has no dice here: it waits for the openings of {others}, and then for {keeper} to reveal it. {closer} may call it off before opening; a judge can void it.':
    '{roller}がイベント{seq}で求めたロールには、ここではまだサイコロがありません。{others}の開示を、次に{keeper}による公開を待っています。{closer}は開示する前なら取りやめることができ、そうでなければジャッジが無効にします。',
  'The rules of the game were not checked: {command} does that.':
    'ゲームのルールは検証していません。{command}で検証できます。',
  'The signature of the act about {name} is not that of {by}, an organizer of this table\'s event.': '{name}についての行為の署名は、この卓のイベントの主催者{by}のものではありません。',
  'The signature of this event is not {author}\'s: it is not what {author} signed.':
    'このイベントの署名は{author}のものではありません。{author}が署名した内容ではありません。',
  'The succession is not from {name}\'s present key to this one, by the recovery key of {name}\'s join.': '引き継ぎは、{name}の参加にある復旧鍵による、{name}の今の鍵からこの鍵へのものではありません。',
  'The succession to the new key of {name} does not hold.': '{name}の新しい鍵への引き継ぎは有効ではありません。',
  'The time {actual} is before that of the event before, {expected}.':
    '日時{actual}が、前のイベントの日時{expected}より前になっています。',
  'The {name} of this log has another key than the {name} you know: somebody may be posing.':
    'このログの{name}の鍵は、あなたの知っている{name}の鍵と違います。誰かがなりすましているおそれがあります。',
  'There is no event type \'{type}\'.':
    '\'{type}\'というイベントの種類はありません。',
  'This event belongs to another game, {actual}.':
    'このイベントは別のゲーム{actual}のものです。',
  'This event does not follow the line before it: that line was changed, or lines were dropped or swapped.':
    'このイベントは前の行に続いていません。前の行が変更されたか、行が抜かれたか、入れ替えられています。',
  'This game goes on from game {game}: look at that log too.':
    'このゲームはゲーム{game}の続きです。そのログも見てください。',
  'This is no evidence file.':
    'これは証拠ファイルではありません。',
  'This is no proof of one roll.':
    'これは1つのロールの証明ではありません。',
  'This is no verifier key and no id of a game: {text}':
    'これは検証鍵でもゲームのIDでもありません: {text}',
  'This is roll {expected} of the game, not roll {actual}.':
    'これはゲームのロール番号{expected}であり、{actual}ではありません。',
  'This is the log of game {actual}, not of the one asked for.':
    'これはゲーム{actual}のログであり、指定されたゲームのものではありません。',
  'This line has a null. Nothing in a log is null: a member that has no value is left out.':
    'この行には`null`があります。ログに`null`はありません。値のない項目は書きません。',
  'This line is not an event: {problem}.':
    'この行はイベントではありません({problem})。',
  'This line is too long: at most {most} bytes.':
    'この行は長すぎます。{most}バイトまでです。',
  'This link has no proof of a roll in it that could be read: it was cut, or changed.':
    'このリンクから、ロールの証明を読み取れませんでした。途中で切れたか、変えられています。',
  'This log does not hold. Up to event {last}: {statement}':
    'このログは成り立ちません。イベント{last}までについて: {statement}',
  'Title':
    '題名',
  'To check it apart from this server, save the proof, and give it to rollproof verify:':
    'このサーバーとは別に確かめるには、証明を保存して rollproof verify に渡します:',
  'To the file':
    'ファイルへ',
  'Trust':
    '信頼',
  'Verifier keys that players gave you, the id of the game, and of a proof the number of its event: one a line':
    'プレイヤーから受け取った検証鍵、ゲームのID、証明ならそのイベントの番号: 1行に1つ',
  'Verify a Rollproof log':
    'Rollproofのログを検証する',
  'Verify again':
    'もう一度検証する',
  'Verifying {name}…':
    '{name}を検証しています…',
  'Were the dice fair?':
    'サイコロは公正でしたか?',
  'Lines that begin with $ are for a shell with openssl 3, xxd and sed. Their output ends with the line below.':
    '$で始まる行は、openssl 3、xxd、sedのあるシェルで実行できます。その出力は、すぐ下の行で終わります。',
  'What else this page reads with them: evidence of a fork, receipts of the keeper (*.checkpoint), a policy of witnesses (*.policy), proofs of one event (*.tlog-proof), openings.':
    'このページが一緒に読むほかのファイル: 分岐の証拠、記録係の受領証(*.checkpoint)、立会人の方針(*.policy)、1つのイベントの証明(*.tlog-proof)、開示。',
  'What it would have shown is not known: the log has no link of {names} for it.':
    '出たはずの目は分かりません。このロールのための{names}のリンクがログにありません。',
  'What the dice mean is step 6, the rules: {command}.':
    'サイコロの意味は手順6のルールです: {command}',
  'What this page is worth':
    'このページをどこまで信じるか',
  'What you know already':
    'すでに知っていること',
  'The purpose that {author} gives for the roll is not the one that its request hid.':
    '{author}の言うロールの用途は、要求に記されたものと違います。',
  'When {party} left, {party} still owed the roll of event {request}: it was voided, and never made again.':
    '{party}が抜けたとき、{party}にはイベント{request}のロールがまだ残っていました。そのロールは無効にされ、やり直されていません。',
  'Whether events are missing at the end: compare size and root with the keeper\'s or another copy.':
    '末尾のイベントが欠けていないか。サイズとルートを、記録係のもの、または別の写しと比べてください。',
  'Whether the rest of the game holds, and what was ruled about it after event {last}: ask for the log.':
    'ゲームの残りが成り立つか、イベント{last}より後にどう裁定されたか: ログを求めてください。',
  "Whether these were the dice that the game's rules take for this request, and what they come to.":
    'ゲームのルールがこの要求に対して使うサイコロだったか、その結果がどうなるか。',
  'Whether what was said at the table is what was signed, and whether the clocks were right.':
    'テーブルで言われたことが署名されたとおりであるか、時計が正しかったか。',
  'Whether {author} could ask in event {seq} for something else than what was owed since event {owed}: that takes the rules.':
    '{author}がイベント{seq}で、イベント{owed}以来求めるべきものと違うものを求めてよかったか。それにはルールが必要です。',
  'Which history was played, and whether it was done on purpose or by a program that had lost its memory.':
    'どちらの履歴が実際にプレイされたか、また故意か、記憶を失ったプログラムによるものか。',
  'Which of several rolls somebody chose to show.':
    'いくつものロールのうち、どれを選んで見せたのか。',
  'Who had not opened, by {name}\'s word: {names}.':
    '{name}の言葉では、開示していなかったのは{names}です。',
  'The person who gave you this page could have changed it. Make it yourself with rollproof verify-page, and compare.':
    'このページを渡した人が書き換えているかもしれません。rollproof verify-pageで自分で作り、比べてください。',
  'Whose key it is: compare it with the one that {accused} gave you, or verify with that one.':
    'それが誰の鍵であるか。{accused}から受け取ったものと比べるか、それを使って検証してください。',
  'Whose keys these are: a stranger can play a game with himself under any names.':
    '誰の鍵か: 見知らぬ人が、好きな名前で一人でゲームをすることもできます。',
  'Whose keys these are: compare the keys of {names} with what they gave you, or verify with those.':
    'これらの鍵が誰のものであるか。{names}の鍵を、本人から受け取ったものと比べるか、それを使って検証してください。',
  '\'{name}\' is a member of a group already':
    '\'{name}\'はすでにグループに入っています',
  "'{word}' is not log, witness, group or quorum":
    '\'{word}\'は、log、witness、group、quorumのどれでもありません',
  'a game has at most {most} parties':
    'ゲームの参加者は{most}人までです',
  'a game has exactly one keeper and at least one player':
    'ゲームには、記録係がちょうど1人と、プレイヤーが1人以上必要です',
  'a group takes all, any or a number from 1 to that of its members, {count}':
    'グループに書けるのは、all、any、または1からメンバーの数({count})までの数です',
  'the game names a host who says who comes later, but nobody may come later':
    'ホストは後から来る人を決めますが、誰も後から来られません',
  'a judge contributes to no roll':
    'ジャッジはどのロールにも寄与しません',
  'a show says what its roll was for, with the salt, if the roll hid this, and only then':
    '用途を隠したロールを見せるときだけ、ソルトと用途を示します',
  'actual':
    '実際の値',
  'an organizer of the event has the keeper\'s key': 'イベントの主催者が記録係の鍵を持っています',
  'and {count} more':
    'ほか{count}個',
  'bytes':
    'バイト列',
  'checked: the cosignatures that the policy asks for are there.':
    '確認したこと: 方針が求める連署がある。',
  'checked: {author} signed the event itself.':
    '確認したこと: イベントそのものに{author}が署名した。',
  'clause':
    '条項',
  'contributor':
    '寄与者',
  'contributors are parties in party order, each once, the keeper and at least one other':
    '寄与者は、記録係と他に1人以上の参加者を、参加者の順に、それぞれ1回だけ挙げます',
  'die':
    'サイコロ',
  'each role that may come later stands there once':
    '後から来られる役割は、それぞれ1回だけ挙げます',
  'error':
    'エラー',
  'event':
    'イベント',
  'event {seq}':
    'イベント{seq}',
  'expected':
    'あるべき値',
  'fault':
    '責任',
  'game masters may hold secret rolls, and there is none, now or later':
    '秘密のロールを持てるのはゲームマスターですが、今も後にも一人もいません',
  'gm':
    'ゲームマスター',
  'in these rules no roll is secret':
    'このルールに秘密のロールはありません',
  'in these rules no {role} comes later':
    'このルールでは、{role}が後から来ることはありません',
  'it has a number that is no integer within bounds':
    '範囲内の整数でない数があります',
  'it has half of a character, a lone surrogate':
    '文字の片割れ(孤立したサロゲート)があります',
  'it has the form: group NAME all|any|K MEMBER…':
    '形は次のとおりです: group NAME all|any|K MEMBER…',
  'it has the form: log VKEY [URL]':
    '形は次のとおりです: log VKEY [URL]',
  'it has the form: quorum NAME':
    '形は次のとおりです: quorum NAME',
  'it has the form: witness NAME VKEY [URL]':
    '形は次のとおりです: witness NAME VKEY [URL]',
  'it is for another link than the one that {author} has to open':
    '{author}が開示すべきリンクとは別のリンクのものです',
  'it is for game {game}, not for this one':
    'ゲーム{game}のもので、このゲームのものではありません',
  'it is no JSON':
    'JSONではありません',
  'it is not UTF-8':
    'UTF-8ではありません',
  'its body has another form':
    '本文の形が違います',
  'it is not of a secret roll of this log':
    'このログの秘密のロールのものではありません',
  'its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it':
    'チェックポイントに、記録係{keeper}の正しい署名がありません。誰にでも書けるものです',
  'its checkpoint is for {actual} events, not for {expected}':
    'チェックポイントはイベント{actual}個についてのもので、{expected}個についてのものではありません',
  'its dice are not known: no link of it, or not all':
    'リンクがないか、そろっていないので、サイコロはわかりません',
  'its secret is not the one that {holder} sealed for this roll':
    'その秘密は、{holder}がこのロールのために封じたものではありません',
  'judge':
    'ジャッジ',
  'keeper':
    '記録係',
  'limit':
    '上限',
  'line {number} of the policy: {problem}':
    '方針の{number}行目: {problem}',
  'natural':
    '出た目',
  'no judge has signed {name} away': '{name}を不在にしたジャッジがいません',
  'no line above defines \'{name}\'':
    '\'{name}\'を定める行が前にありません',
  'this log does not have the request that it is for':
    'このログには、これが対象とする要求がありません',
  'nobody else has signed {name} away': 'ほかの誰も{name}を離席にしていません',
  'nobody': 'なし',
  'not checked: that the rest of the game holds; that takes the log.':
    '確認していないこと: ゲームの残りが成立すること。それにはログが必要です。',
  'not checked: that {author} signed it; that takes the key of {author}.':
    '確かめていないこと: {author}が署名したこと。それには{author}の鍵が要ります。',
  'nothing waits for an opening of {author}':
    '{author}の開示を待っているものはありません',
  'notice':
    '通知',
  'notice {code}: {message}':
    '注意 {code}: {message}',
  'number':
    '数',
  'or drop it here':
    'または、ここにドロップ',
  'passed over':
    '飛ばしたもの',
  'player':
    'プレイヤー',
  'sides':
    '面の数',
  'somebody is called {name} here':
    'ここには{name}という呼び名の人がいます',
  'the event\'s line is too long: at most {most} bytes':
    'イベントの行が長すぎます。{most}バイトまでです',
  'the event\'s signature is not that of the {author} whose key was given':
    'イベントの署名は、鍵が与えられた{author}のものではありません',
  'the evidence DOES NOT HOLD':
    '証拠は成立しません',
  'the evidence HOLDS (it is proof)':
    '証拠は成立します(証明になります)',
  'the host has the keeper\'s key':
    'ホストの鍵が記録係の鍵です',
  'the keeper\'s judge':
    '記録係のジャッジ',
  'the key of {name} stands twice':
    '{name}の鍵が2回現れます',
  'the line calls itself event {seq} of game {game}: the keeper put it where it does not belong':
    'この行はゲーム{game}のイベント{seq}と名乗っています。記録係が誤った場所に置いたものです',
  'the name \'{name}\' is taken':
    '名前\'{name}\'はすでに使われています',
  'the policy asks for more cosignatures; missing: {names}':
    '方針が求める連署が足りません。足りないもの: {names}',
  'the policy has a control character':
    '方針に制御文字があります',
  'the policy has no quorum line':
    '方針にquorumの行がありません',
  'the policy is longer than {most} bytes':
    '方針が{most}バイトより長いです',
  'the policy\'s last line has no line feed':
    '方針の最後の行に改行がありません',
  'the proof carries another event than the line that was given':
    '証明が運ぶイベントが、与えられた行と違います',
  'the proof has no event in it: give the event\'s line beside it':
    '証明にイベントが入っていません。イベントの行を添えてください',
  'the proof is about another game, {actual}':
    'この証明は別のゲーム{actual}のものです',
  'the proof is about event {actual} of {size}, not about event {expected}':
    'この証明は全{size}個のうちのイベント{actual}についてのもので、イベント{expected}についてのものではありません',
  'the proof of a roll DOES NOT HOLD (it shows nothing)':
    'ロールの証明は成り立ちません(何も示しません)',
  'the proof of a roll HOLDS':
    'ロールの証明は成り立ちます',
  'the signature is not {receiver}\'s':
    '署名は{receiver}のものではありません',
  'there are more than {most} of a kind':
    '同じ種類のものが{most}個を超えています',
  'there is a second quorum line':
    'quorumの行が二つあります',
  'these rules have no {role}, but {name} is one':
    'このルールに{role}はありませんが、{name}がそうなっています',
  'this is no proof of one event (specs/checkpoints.md)':
    'これは1つのイベントの証明ではありません(specs/checkpoints.md)',
  'this is not a key of the kind that is needed here: a key has the form name+hash+base64':
    'これはここに書く種類の鍵ではありません。形式はname+hash+base64です',
  'this line is not event {index} of what {keeper} signed':
    'この行は、{keeper}が署名したもののイベント{index}ではありません',
  'tip':
    '先端',
  'two organizers of the event share a name or a key': 'イベントの主催者のうち二人が、同じ名前か鍵を持っています',
  'two parties are called {name}':
    '{name}という名前の参加者が2人います',
  'the purpose that it gives for the roll is not the one that the request hid':
    'ロールの用途が、要求に記されたものと違います',
  'whether the policy is met is not known: it takes ML-DSA-44 to check the cosignatures of {names}, and this browser does not have it':
    '方針が満たされているかどうかは分かりません。{names}の連署を確かめるにはML-DSA-44が必要ですが、このブラウザにはありません',
  'witness':
    '立会人',
  '{accused} is no party of this game.':
    '{accused}はこのゲームの参加者ではありません。',
  '{accused} signed two histories of game {game}: there are two events {index}, with the leaf hashes {one} and {other}, and {accused} vouched for both. No honest program signs that.':
    '{accused}はゲーム{game}の二つの履歴に署名しました。リーフ・ハッシュが{one}と{other}の二つのイベント{index}があり、{accused}は両方を請け合っています。正直なプログラムがこれに署名することはありません。',
  '{accused} signed two histories of game {game}: there are two of its first {index} events, with the roots {one} and {other}, and {accused} vouched for both. No honest program signs that.':
    '{accused}はゲーム{game}の二つの履歴に署名しました。最初の{index}個のイベントが、ルート{one}と{other}の二通りあり、{accused}は両方を請け合っています。正直なプログラムがこれに署名することはありません。',
  '{actual} is no party of this game: {expected}.':
    '{actual}はこのゲームの参加者({expected})ではありません。',
  '{author} asked for {rolls} blind, which {holder} alone saw; {holder} showed {shown} and alone chose which.':
    '{author}は{rolls}をブラインドで求め、目を見たのは{holder}だけです。{holder}はそのうち{shown}個を見せました。どれを見せるかは{holder}だけが選びました。',
  '{author} asked for a {type} in event {seq}, which was voided: {author} asks for the same again before anything else.':
    '{author}がイベント{seq}で求めた{type}は無効にされました。{author}は他の何よりも先に、同じものをもう一度求めます。',
  '{author} came later too, and consents when the others have consented to {author}.':
    '{author}も後から来た人で、ほかの人が{author}に同意してから同意できます。',
  '{author} came later, and judges nothing before everybody who plays has consented.':
    '{author}は後から来たジャッジで、プレイしている全員が同意するまで何も裁定できません。',
  '{author} commits to a tip that this game has seen: a copy of another\'s commitment, or a chain used twice.':
    '{author}がコミットした先端は、このゲームですでに使われています。他の参加者のコミットメントの写しか、チェーンの使い回しです。',
  '{author} contributes to no roll of this game, so has nothing to commit to.':
    '{author}はこのゲームのどのロールにも寄与しないので、コミットするものがありません。',
  '{author} did not sign this opening for this roll.':
    '{author}は、このロールのためのこの開示に署名していません。',
  '{author} gives the next link of the chain that a commit replaces, and none where there was none.':
    'コミットがチェーンを置き換えるときは、{author}がそのチェーンの次のリンクを示し、置き換えるものがなければ示しません。',
  '{author} gives the secret of the last tag of the seal before, and none where there was none.':
    '{author}は前の封印の最後のタグの秘密を示し、前の封印がなければ示しません。',
  '{author} goes on under this key when all others have consented, two or more; so far: {names}.': '{author}がこの鍵で続けるには、ほかの全員、二人以上の同意が要ります。これまで：{names}。',
  '{author} has at most {most} unused secrets for rolls.':
    '{author}の使っていない秘密は{most}個までです。',
  '{author} has called {party} away already.':
    '{author}はすでに{party}を不在と呼んでいます。',
  '{author} has consented to {party} already.':
    '{author}はすでに{party}に同意しています。',
  '{author} has consented to {party}\'s new key already.': '{author}は{party}の新しい鍵にすでに同意しています。',
  '{author} has joined already.':
    '{author}はすでに参加しています。',
  '{author} has left the game.':
    '{author}はすでにゲームから離れています。',
  '{author} has no burned link that is still unknown, so there is none to give here.':
    'ここには、{author}の使い切られてまだ知られていないリンクがないので、示すものはありません。',
  '{author} has not joined: a party\'s first event is its join.':
    '{author}はまだ参加していません。各参加者の最初のイベントは参加の表明です。',
  '{author} is a {role}; only a {may} may write {type}.':
    '{author}は{role}です。{type}を書けるのは{may}だけです。',
  '{author} is away, and says so first when it is back.':
    '{author}は不在です。戻ったら、まずそう署名します。',
  '{author} is the judge that {keeper} runs, and writes join and void alone, not {type}.':
    '{author}は{keeper}が動かすジャッジで、書くのは参加とロールの取り消しだけです。{type}は書きません。',
  '{author} opened link {actual}; this roll takes link {expected}.':
    '{author}が開示したのはリンク{actual}ですが、このロールで使うのはリンク{expected}です。',
  '{author} opened link {index}, which no roll with this number takes.':
    '{author}が開示したリンク{index}は、この番号のロールが使うものではありません。',
  '{author} shows its own opening, not one of {actual}.':
    '{author}が見せるのは自分の開示であり、{actual}のものではありません。',
  "{author} signed event {seq}, and {keeper}, the keeper, has not signed over it. {author}'s program need not know the rules. The event is an offer, not a part of this log: nobody is at fault.":
    '{author}がイベント{seq}に署名しました。{author}のプログラムはルールを知らなくてもかまわず、記録係の{keeper}はその先に署名していません。これは申し出であり、このログの一部ではありません。誰の責任でもありません。',
  "{author} signed it; {author}'s program need not know the rules.":
    '署名したのは{author}ですが、{author}のプログラムはルールを知らなくてもかまいません。',
  '{author} signed {party} away ({count}×): while away {party} has no part in the dice.':
    '{author}が{party}を不在にしました({count}回)。不在の間、{party}はサイコロに寄与しません。',
  '{author} signed {party} away ({count}×, first in event {seq}).':
    '{author}が{party}を不在にしました({count}回、最初はイベント{seq})。',
  '{author} took {party} out of the game (event {seq}).':
    '{author}が{party}をゲームから外しました(イベント{seq})。',
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
  '{fault} called rolls off that {fault} had opened for: read the notices.':
    '{fault}は、自分が開示していたロールを取り消しました。通知を読んでください。',
  '{file} does not hold: {problem}':
    '{file} は成り立ちません: {problem}',
  '{file} is not a show of a secret roll (specs/protocol.md).':
    '{file}は、秘密のロールを見せるファイルの形をしていません(specs/protocol.md)。',
  '{file} is neither an opening nor a receipt for one (specs/protocol.md).':
    '{file} は開示の形式でも、その受領証の形式でもありません(specs/protocol.md)。',
  '{file} holds: {author} opened link {index} for roll {roll}.':
    '{file} は成り立ちます: {author} はロール{roll}のためにリンク{index}を開示しました。',
  "{file} holds: {holder}'s secret roll of event {request}: {came}":
    '{file}は成り立ちます。イベント{request}、{holder}の秘密のロール: {came}',
  '{file} holds: {receiver} received link {index} of {author} for roll {roll}.':
    '{file} は成り立ちます: {receiver}は、ロール{roll}のための{author}のリンク{index}を受け取りました。',
  '{holder} can hold no secret roll of {author} here.':
    'ここで{holder}は{author}の秘密のロールを持てません。',
  '{holder} has no secret left for this roll, and has to seal first.':
    '{holder}にはこのロールに使う秘密が残っていないので、先に封じる必要があります。',
  '{holder} holds {most} secret rolls that are not shown, and shows one first.':
    '{holder}は見せていない秘密のロールを{most}個持っているので、先に1つ見せます。',
  '{holder} owes the secret of a roll that was voided, and shows that first.':
    '{holder}は無効化されたロールの秘密をまだ示していないので、先に示します。',
  '{holder} rolled {rolls} in secret and showed {shown}: {holder} alone chose which.':
    '{holder}は秘密に{rolls}を振り、{shown}個を見せました。どれを見せるかは{holder}だけが選びました。',
  '{holder}, who would hold this roll, is not at the table.':
    'このロールの持ち主となる{holder}は、卓にいません。',
  '{judge} corrected this: {text}':
    '{judge}はこれを訂正しました: {text}',
  '{judge} gave a penalty for this: {text}':
    '{judge}はこれについて懲罰を与えました: {text}',
  '{judge} ruled this void: {text}':
    '{judge}はこれを無効と裁定しました: {text}',
  '{judge} upheld this: {text}':
    '{judge}はこれを支持しました: {text}',
  '{keeper} has not signed the line that this file has in its place.':
    '{keeper}は、このファイルでその場所にあるものには署名していません。',
  '{keeper} is not one of the keepers that the policy accepts':
    '{keeper}は、方針が認める記録係ではありません',
  '{keeper} let {party} in later, alone (event {seq}): {party} may be {keeper}\'s own hand.':
    '{keeper}が、1人で{party}の参加を後から認めました(イベント{seq})。{party}は{keeper}自身かもしれません。',
  '{keeper} runs the judge {judge} too, and could have a roll called off whose dice it knew.':
    '{keeper}はジャッジの{judge}も動かしており、サイコロを知ったうえでロールを取り消させることができました。',
  '{keeper} signed both histories: keep this file and {name}; together they show it to anybody.':
    '{keeper}は両方の履歴に署名しました。このファイルと{name}を保管してください。両方あれば誰にでも示せます。',
  '{keeper}, the keeper of this game, is not one of the keepers that the policy accepts.':
    'このゲームの記録係{keeper}は、方針が認める記録係ではありません。',
  '{keeper}, the keeper, accepted it all the same.':
    'それでも記録係の{keeper}はこれを受け入れました。',
  '{keeper}, the keeper, has not signed over the events from event {seq} on; only their authors vouch for them.':
    '記録係の{keeper}は、イベント{seq}以降にまだ続けて署名していません。それを保証しているのは各イベントの作成者だけです。',
  '{keeper}, the keeper, knows them, and accepted it all the same.':
    '記録係の{keeper}はルールを知っていながら、これを受け入れました。',
  '{keeper}, the keeper, let {party} in alone: {party} may be {keeper}\'s own hand.':
    '記録係の{keeper}が、1人で{party}の参加を認めました。{party}は{keeper}自身かもしれません。',
  '{keeper}, the keeper, let {party} in as a judge: {organizer}, an organizer of the event, signed it.': '記録係の{keeper}が{party}をジャッジとして加えました。イベントの主催者{organizer}が署名しています。',
  '{keeper}, the keeper, let {party} in by the host\'s word.':
    '記録係の{keeper}が、ホストの言葉によって{party}の参加を認めました。',
  '{keeper}, the keeper, signed in {name} for a history of {size} events that this log does not have.':
    '記録係{keeper}は{name}で、このログにはない{size}個のイベントの履歴に署名しています。',
  '{keeper}, the keeper, signed in {name} for {size} events; this file has {events}: its end is missing.':
    '記録係{keeper}は{name}で{size}個のイベントに署名していますが、このファイルには{events}個しかありません。末尾が欠けています。',
  '{keeper}, the keeper, signed over it.':
    '記録係の{keeper}は、これに続けて署名しました。',
  '{keeper}, who could have known its dice, closed the game before the roll of {roller} had any.':
    '{roller}のロールにサイコロが出る前に、それを知り得た{keeper}がゲームを終えました。',
  '{line}':
    '{line}',
  '{log} does not hold, so nothing can be checked against it.':
    '{log}が成り立たないので、何も照らし合わせられません。',
  '{names} had no part in these dice, and the proof does not say why.':
    '{names}はこのサイコロに関わっていません。その理由は証明からは分かりません。',
  '{name} has no link left for this roll: {name} must commit to a seed chain first.':
    '{name}には、このロールに使えるリンクが残っていません。先に{name}がシード・チェーンをコミットしなければなりません。',
  '{name} has no signature of {keeper}, the keeper, that holds: anybody could have written it.':
    '{name}には、記録係{keeper}の正しい署名がありません。誰にでも書けるものです。',
  '{name} has the key of {other}':
    '{name}の鍵は{other}の鍵です',
  '{name} has the same key as another party':
    '{name}の鍵が別の参加者の鍵と同じです',
  '{name} is a receipt of another game: it says nothing about this one.':
    '{name}は別のゲームの受領証です。このゲームについては何も示しません。',
  '{name} is called like {other}: {text}':
    '{name}の呼び名が{other}と同じです: {text}',
  '{name} is no party of this log: {name}\'s key plays as {other}.':
    '{name}はこのログの参加者ではありません。{name}の鍵は{other}としてプレイしています。',
  '{name} is no party that is away': '{name}は離席中の参加者ではありません',
  '{name} is not a checkpoint of a game.':
    '{name}はゲームのチェックポイントではありません。',
  '{name} is the name of a party':
    '{name}はすでに参加者の名前です',
  '{name} looks like {other}':
    '{name}は{other}と紛らわしい名前です',
  '{name} opened for {rolls} that {name} voided: both are signed with {name}\'s key, and who closes a roll does not do both.':
    '{name}は、自ら無効にした{rolls}に対して開示していました。どちらにも{name}の鍵の署名があり、ロールを閉じる者は両方をしません。',
  '{name} opened for {rolls} that {name} voided: the keeper\'s disclose has the opening. Both are signed with {name}\'s key, and who closes a roll does not do both: {keeper}, the keeper, and {name} together could have known the dice first. Ask {name} who has that key.':
    '{name}は、自ら無効にした{rolls}に対して開示していました。その開示は記録係が明かしたものの中にあります。どちらにも{name}の鍵の署名があり、ロールを閉じる者は両方をしません。記録係の{keeper}と{name}が組めば、サイコロを先に知ることができました。その鍵を誰が持っているか、{name}に尋ねてください。',
  '{name} opened link {index} for this request; it must lead to link {known}, seen in event {seq}.':
    '{name}はこの要求のためにリンク{index}を開示しました。これはイベント{seq}で示されたリンク{known}に行き着かなければなりません。',
  '{name} shows openings that {judge} called missing ({count}×). Either {keeper}, who runs {judge}, had them, and knew the dice when the roll was called off, or they were lost on their way. Ask both, and whoever has a receipt for one.':
    '{judge}が届いていないとした開示を{name}が見せています({count}回)。{judge}を動かす{keeper}がそれを持っていて、取り消した時に出目を知っていたか、途中で失われたかのどちらかです。両者と、受領証を持つ人に尋ねてください。',
  '{name} shows openings that {judge} called missing ({count}×, first in event {seq}).':
    '{judge}が届いていないとした開示を{name}が見せています({count}回、最初はイベント{seq})。',
  '{name} signed two histories of one game. That is proof against the key of {name}.':
    '{name}は1つのゲームの2つの履歴に署名しました。これは{name}の鍵に対する証明です。',
  '{name} voided {rolls}.':
    '{name}が無効にしたロール: {rolls}。',
  '{name} was let in with the key that you know, and has not joined.':
    '{name}はご存じの鍵で参加を認められましたが、まだ参加していません。',
  '{name}, whom the keeper runs as a judge, is none here':
    '記録係がジャッジとして動かすという{name}は、ここではジャッジではありません',
  '{others} had no part in these dice: {names} together could have chosen them.':
    '{others}はこれらの出た目に寄与していません。{names}が共謀すれば選ぶことができました。',
  '{party} came later, appointed by {organizer}, an organizer of the event (event {seq}).': '{party}は後から来ました。イベントの主催者{organizer}が任命しました（イベント{seq}）。',
  '{party} came later, by the host\'s word (event {seq}).':
    '{party}は、ホストの言葉によって後から来ました(イベント{seq})。',
  '{party} is not a contributor who could be away.':
    '{party}は不在になり得る参加者ではありません。',
  '{party} goes on because others said so, and accepts no rolls.': '{party}はほかの人の言葉で続けているので、ロールを認められません。',
  '{party} goes on under a new key, by the word of {names} (event {seq}): {party} may be somebody else now.': '{party}は{names}の言葉により新しい鍵で続けています（イベント{seq}）。{party}は今は別の人かもしれません。',
  '{party} goes on under a new key, by {party}\'s recovery key (event {seq}).': '{party}は{party}の復旧鍵により新しい鍵で続けています（イベント{seq}）。',
  '{party} goes on under a new key: {names} consented to it. {party} may be somebody else now.': '{party}は新しい鍵で続けています：{names}が同意しました。{party}は今は別の人かもしれません。',
  '{party} goes on under a new key: {organizer}, an organizer of the event, corrected the key, and the judge {judge} had signed {party} away. {party} may be somebody else now.': '{party}は新しい鍵で続けています：イベントの主催者{organizer}が鍵を訂正し、ジャッジの{judge}が{party}を不在にしていました。{party}は今は別の人かもしれません。',
  '{party} goes on under a new key: {party}\'s recovery key signed for it.': '{party}は新しい鍵で続けています：{party}の復旧鍵が署名しました。',
  '{party} has left already.':
    '{party}はすでに離れています。',
  '{party} is no party of this game.':
    '{party}はこのゲームの参加者ではありません。',
  '{party} is not at the table.':
    '{party}は席にいません。',
  '{party} is not away.':
    '{party}は不在ではありません。',
  '{party} keeps the log and cannot leave; close the game instead.':
    '{party}はログの記録係なので離れられません。代わりにゲームを終了してください。',
  '{party}, whom event {admit} admits, needs no consent.':
    'イベント{admit}で参加を認められた{party}に、同意はもう要りません。',
  '{path}: COULD NOT BE FINISHED ({code}, step {step}): {message}':
    '{path}: 終えられませんでした({code}、手順{step}): {message}',
  '{path}: FAILS (something is wrong; {code}, step {step}): {message}':
    '{path}: 不成立(どこかが誤っています。{code}、手順{step}): {message}',
  '{receiver} is no party of this game':
    '{receiver}はこのゲームの参加者ではありません',
  '{rolls} without dice and without the link of {name}: what would have been shown is not known.':
    'サイコロも{name}のリンクもないロールが{rolls}あり、出たはずの目は分かりません。',
  '{text} is no verifier key that is valid':
    '{text}は有効な検証鍵ではありません',
  'Its admit does not show that the keeper let {accused} into this game.':
    'この中の参加の承認は、記録係が{accused}をこのゲームに入れたことを示していません。',
  'Nobody in this evidence has the key {key}.':
    'この証拠の中に、鍵{key}を持つ人はいません。',
  'It was stopped.':
    '中止しました。',
  'It took longer than {seconds} seconds.':
    '{seconds}秒を超えました。',
  'Python did not start in this browser.':
    'このブラウザーではPythonが起動しませんでした。',
  'Python ended with an error in this browser.':
    'このブラウザーでPythonがエラーで終わりました。',
  'The rules of the game are being checked…':
    'ゲームのルールを検査しています…',
  'The rules of the game could not be checked here. {why} {command} checks them.':
    'ここではゲームのルールを検査できませんでした。{why}{command}なら検査できます。',
  'The rules of the game were checked too, by the same program as {command}.':
    'ゲームのルールも、{command}と同じプログラムで検査しました。',
  'Two programs have judged this log, and they differ: one of them has a flaw. Trust neither, and tell its makers. The other one says: {verdict}.':
    '二つのプログラムがこのログを判定し、結果が違いました。どちらかに欠陥があります。どちらも信じずに、作者に知らせてください。もう一方の判定: {verdict}。',
  'The state of the game':
    'ゲームの状態',
  'What the rules have made of the events, as data':
    'ルールがイベントから導いたもの(データ)',
  'Step 6: the rules':
    '手順6: ルール',
  'what it says of this roll':
    'このロールについて',
  'Stop':
    '中止',
  '{text}':
    '{text}',
  'Signatures, chain and dice are checked by a second program, written from the specification alone, that shares nothing with rollproof verify. The rules are checked by the same Python as by rollproof verify: about the rules it is no second opinion.':
    '署名、チェーン、サイコロは、仕様だけから書かれ、rollproof verifyと何も共有しない第二のプログラムが検査します。ルールはrollproof verifyと同じPythonが検査します。ルールについては第二の意見ではありません。',
  'Licences of what is in this page':
    'このページに含まれるもののライセンス',
  'Roll {roll} cannot be taken back: only the latest roll can, once, before anything is played on it and where nothing of it was rolled again; a judge can still rule it void.':
    'ロール{roll}は取り消せません。取り消せるのは最後のロールだけで、一度だけ、その後に何かが進む前で、振り直しがない場合だけです。ジャッジはまだ無効と裁定できます。',
  '{author} came later, and has no say in this before the others have consented.':
    '{author}は後から来たので、ほかの全員が同意するまではこれを決められません。',
  '{author} is alone here, and nobody takes a roll back alone: a judge can rule it void.':
    'ここにいるのは{author}だけで、一人ではロールを取り消せません。ジャッジなら無効と裁定できます。',
  '{author} has agreed already to take roll {roll} back.':
    '{author}はロール{roll}の取り消しにすでに同意しています。',
  'By the terms of this game no roll is taken back, so {author} writes no {type}: a judge rules.':
    'このゲームの取り決めではロールは取り消せないため、{author}は{type}を書けません。ジャッジが裁定します。',
  '{names} together took back {rolls} after their dice were shown (first in event {seq}).':
    '{names}は、サイコロが公開された後に{rolls}を一緒に取り消しました(最初はイベント{seq})。',
  '{names} together took back the roll that {roller} had asked for in event {request}; its dice showed {naturals}.':
    '{names}は、{roller}がイベント{request}で求めたロールを一緒に取り消しました。出た目は{naturals}でした。',
  'The dice were fair; {names} took the roll back.':
    'サイコロは公正でした。{names}がロールを取り消しました。',
  '{party} agreed to take this roll back: where all who played did, nothing came of it. The log shows whether they did.':
    '{party}はこのロールの取り消しに同意しました。プレイしていた全員が同意していれば、このロールは何にもなりません。全員が同意したかはログでわかります。',
  'The dice were fair; somebody agreed to take the roll back: read the notices.':
    'サイコロは公正でした。ロールの取り消しに同意した人がいます。お知らせをお読みください。',
};
