/**
 * The Japanese of what the verifier says besides, of events and on its own page: made by `python -m tests.make.words` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const JAPANESE = {
  'A judge ruled about it: read the notices.': '審判がこれについて裁定しています。通知を読んでください。',
  'A name is anybody’s. Compare each key with the one that its owner gave you.':
    '名前は誰でも名乗れます。それぞれの鍵を、本人から受け取ったものと比べてください。',
  'A policy is for a log or a proof: choose that too.': '方針はログか証明に使うものです。それも選んでください。',
  'A proof of a roll that does not hold shows nothing.': '成り立たないロールの証明は、何も示しません。',
  'A proof of one event is checked with its log, or with what you know: the id of the game, the keeper’s key and the number of the event. Type them, one a line.':
    '1つのイベントの証明は、そのログか、あなたの知っていること(ゲームのID、記録係の鍵、イベントの番号)と照らし合わせます。1行に1つずつ入力してください。',
  'A receipt is compared with a log: choose the log too.': '受領証はログと比べるものです。ログも選んでください。',
  'A ruling of {judge} about this roll: {ruling}. {text}': 'このロールについての{judge}の裁定: {ruling}。{text}',
  'A show of a secret roll is checked against a log: choose the log too.':
    '秘密のロールを見せるファイルは、ログと照らし合わせて検証します。ログも選んでください。',
  'A slip has a reason just where a judge or organizer writes it.': '結果票に理由があるのは、ジャッジか主催者が書くときだけです。',
  'A slip of table {table} has {count} sides, each with: {names}.':
    '{table}番卓の結果票には{count}組の側があり、それぞれに次のものがあります: {names}。',
  'An event log begins with its only open; this is line {seq}.': 'イベント記録は、ただ一つのopenで始まります。これは{seq}行目です。',
  'An event log has at most {most} lines.': 'イベント記録は最大{most}行です。',
  'An opening is checked against a log: choose the log too.': '開示はログと照らし合わせるものです。ログも選んでください。',
  'Both statements are about the same event {index}: they do not contradict each other.':
    '二つの言明はどちらも同じイベント{index}についてのもので、何も食い違っていません。',
  'Both statements: each leads by hashes to a signature that {accused} made.':
    '二つの言明: どちらもハッシュをたどって{accused}の署名に行き着くこと。',
  'By hand': '手作業で',
  'Bytes follow the last file of the bundle.': '記録一式の最後のファイルの後ろに、余分なバイトがあります。',
  'COULD NOT BE FINISHED: whether it holds is not known': '終わりまで検証できず: 正しいかどうかは分かりません',
  'COULD NOT BE READ as a bundle': '記録一式として読めません',
  'COULD NOT BE READ as a log': 'ログとして読めません',
  Checked: '検証したこと',
  'Choose a file': 'ファイルを選ぶ',
  Event: 'イベント',
  'Event 0 of table {table} in round {round} is not what the event says: {member} differs.':
    '第{round}ラウンドの{table}番卓のイベント0は、イベント記録が定めるものと違います: {member}。',
  'Event 0, which fixes the game and the key of {accused}.': 'ゲームと{accused}の鍵を定めるイベント0。',
  'Event 0, which fixes the game and the keys; that {keeper} signed that these lines stand in it.':
    'ゲームと鍵を定めるイベント0。そして、これらの行がそのゲームにあると{keeper}が署名したこと。',
  "Event {event} of table {table} in round {round} has an act of {by} that the event's log does not have, or not since the table was opened.":
    '第{round}ラウンドの{table}番卓のイベント{event}に{by}の行為がありますが、イベントのログにないか、卓が開かれたあとのものではありません。',
  'Event {index} is a secret roll, of which this is no proof.': 'イベント{index}は秘密のロールで、これはその証明になりません。',
  'Event {index} says that {author} signed it, but {author} did not.': 'イベント{index}は{author}のものとありますが、{author}の署名ではありません。',
  'Every line was signed by who it says, and nothing was changed. Dice of tables are not in it.':
    'どの行も、そこに書かれた人が署名しており、何も変えられていません。卓のサイコロはここにはありません。',
  'Evidence that does not hold shows nothing about anybody.': '成立しない証拠は、誰についても何も示しません。',
  'FAILS (something is wrong) at event {seq} of {events}; the events before it hold':
    '不成立(どこかが誤っています): 全{events}個のうちイベント{seq}。その前のイベントは成立しています',
  'FAILS (something is wrong): its {events} events hold, but not with what was given beside them':
    '不成立(どこかが誤っています): {events}個のイベントは成立していますが、一緒に渡されたものと合いません',
  'FAILS (something is wrong): the event’s log holds, and not all that lies with it':
    '成り立ちません(どこかに誤りがあります): イベント記録は成り立ちますが、一緒にあるもののすべては成り立ちません',
  'Fair: nobody could choose or predict it unless ALL of {names} worked together.':
    '公正: {names}の全員が共謀しないかぎり、誰も選ぶことも予測することもできませんでした。',
  File: 'ファイル',
  'Findings and notices': '指摘と通知',
  Game: 'ゲーム',
  'Game {game} is sealed already, with as many events or more.': 'ゲーム{game}は、同じかそれより多いイベント数で、すでに封印されています。',
  'Game {game} is that of another table.': 'ゲーム{game}は別の卓のものです。',
  'Game {game} was not opened for table {table} of round {round}.':
    'ゲーム{game}は、第{round}ラウンドの{table}番卓のために開かれたものではありません。',
  'Games of tables that went on after their round had ended: {count}.': 'ラウンドの終了後も続いた卓のゲーム: {count}件。',
  'Games of tables that were cancelled, which are in the bundle too: {count}.': '取り消された卓のゲーム(これも記録一式にあります): {count}件。',
  'Games of tables that were not closed: {count}.': '終了していない卓のゲーム: {count}件。',
  'Games of tables whose length was never sealed: {count}.': '長さが一度も封印されていない卓のゲーム: {count}件。',
  'Games of tables, each by itself and with the event: {count}.': '卓のゲーム(それぞれ単独で、またイベント記録と照らして): {count}件。',
  'Give this page the log of a game. It checks every signature, every link and every die, on this device: nothing is sent anywhere.':
    'ゲームのログをこのページに渡してください。すべての署名、リンク、サイコロをこの端末で検証します。どこにも何も送りません。',
  'HOLDS, {events}': '成立、{events}',
  'HOLDS: {keeper} signed that this is event {seq} of game {game}, among {size}:':
    '成立: これがゲーム{game}の全{size}個のうちのイベント{seq}であると、{keeper}が署名しています:',
  'It cannot be written for round {round} as that stands.': '第{round}ラウンドの今の状態では、これは書けません。',
  'It could not be finished: {text}': '終えることができませんでした: {text}',
  'It does not show the dice of event {index}, by {keeper}.': '{keeper}によるイベント{index}のサイコロがありません。',
  'It does not show what {author} committed to before the roll.': 'ロールの前に{author}がコミットしたものがありません。',
  'It is a second program, written from the specification alone, that shares nothing with rollproof verify. It does not know the rules of the games: rollproof verify says whether an event was allowed and what the dice mean.':
    'これは仕様だけから書かれた2つ目のプログラムで、rollproof verifyとは何も共有していません。ゲームのルールは知りません。イベントが認められるものであったか、サイコロが何を意味するかは、rollproof verifyが示します。',
  'It is not about one roll: it has {count} requests for dice.': '1つのロールの証明ではありません。サイコロの要求が{count}件あります。',
  'It shows nothing about anybody.': 'これは誰についても何も示しません。',
  'It was for: {text}': '何のためだったか: {text}',
  'Its admit does not show that the keeper let {accused} into this game.':
    'この中の参加の承認は、記録係が{accused}をこのゲームに入れたことを示していません。',
  'Its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it.':
    'そのチェックポイントには、記録係の{keeper}の有効な署名がありません。誰にでも書けるものです。',
  'Its checkpoint is of another game than its event 0.': 'そのチェックポイントは、イベント0とは別のゲームのものです。',
  'Its dice follow from secrets that were fixed before the roll. It is one roll of a game, which somebody chose to show.':
    'サイコロは、ロールの前に定まっていた秘密から導かれています。これは、誰かが選んで見せている、ゲームの中の1つのロールです。',
  'Its event 0 does not hold, so it shows nothing: {problem}': 'イベント0が成立しないので、何も示しません: {problem}',
  'Its events hold. It lacks what the policy asks for.': 'イベントは成り立ちます。方針が求めるものが足りません。',
  'Its events hold. Whether the policy is met cannot be checked here.':
    'イベントは成り立ちます。方針が満たされているかどうかは、ここでは確かめられません。',
  'Judges and keys that tables took in after the event had ended them: {count}.': 'イベントが終わらせた後に卓が受け入れたジャッジと鍵: {count}件。',
  Keys: '鍵',
  'Keys of players that an organizer replaced: {count}.': '主催者が取り替えたプレイヤーの鍵: {count}件。',
  'Licences of what is in this page': 'このページに含まれるもののライセンス',
  'Line {line} does not open table {table}, or its game was named before.':
    '{line}行目は{table}番卓を開くものではないか、そのゲームはすでに記されています。',
  'Line {line} is no answer that can be appealed.': '{line}行目は、上訴できる回答ではありません。',
  'Line {line} is no call that waits for an answer.': '{line}行目は、回答を待つ呼び出しではありません。',
  'Line {line} is no penalty that stands.': '{line}行目は、有効な懲罰ではありません。',
  'Line {line} is no slip of a table of this event.': '{line}行目は、このイベントの卓の結果票ではありません。',
  'Lines that begin with $ are for a shell with openssl 3, xxd and sed. Their output ends with the line below.':
    '$で始まる行は、openssl 3、xxd、sedのあるシェルで実行できます。その出力は、すぐ下の行で終わります。',
  'Match results that staff set: {count}.': 'スタッフが定めたマッチの結果: {count}件。',
  'Match results, penalties and drops that were corrected: {count}.': '訂正されたマッチの結果、懲罰、棄権: {count}件。',
  'Naturals are what the dice showed, before the rules of the game. Open a roll to see why it was fair, and to redo it by hand.':
    'ここにあるのは、ゲームのルールが関わる前の、サイコロの出た目です。ロールを開くと、なぜ公正なのかを確かめ、手作業でやり直せます。',
  'No dice yet: it waits for the openings of {others}, and then for {keeper} to reveal it.':
    'サイコロ待ち: {others}の開示と、その後の{keeper}による公開を待っています。',
  'No dice: {by} called it off in event {end}.': 'サイコロなし: {by}がイベント{end}で取り消しました。',
  'No dice: {by}, who had opened for it already, called it off in event {end}.':
    'サイコロなし: すでに開示していた{by}が、イベント{end}で取り消しました。',
  'Nobody can be appointed with this key: {problem}.': 'この鍵では誰も任命できません: {problem}。',
  'Nobody in this evidence has the key {key}.': 'この証拠の中に、鍵{key}を持つ人はいません。',
  'Nobody in this game has the key {key}.': 'このゲームに鍵{key}の参加者はいません。',
  'Not checked': '検証していないこと',
  'Not shown to be fair: event {seq}, which should end it, does not hold.':
    '公正とは示されていません。これを終えるはずのイベント{seq}が成り立ちません。',
  'Nothing in it was changed, and its dice follow from secrets that were fixed before each roll.':
    '何も書き換えられておらず、サイコロの目は、振る前に決められていた秘密から導かれています。',
  'Nothing in it was changed. It shows no dice.': '何も書き換えられていません。サイコロの目はありません。',
  'Nothing in this file could be judged.': 'このファイルでは何も判定できませんでした。',
  'Nothing was verified, because the policy cannot be used: {problem}': '方針が使えないため、何も検証しませんでした: {problem}',
  'One log at a time: {name} is verified, the others are left out.': 'ログは一度に1つです。{name}を検証し、ほかは使いません。',
  'One roll': '1つのロール',
  'Penalties that stand: {count}.': '有効な懲罰: {count}件。',
  'Player {number} cannot be paired: not checked in, or dropped.':
    'プレイヤー{number}は組み合わせに入れられません。チェックインしていないか、棄権しています。',
  "Player {number} cannot have this key: it has another name than p{number}, or is somebody's.":
    'プレイヤー{number}はこの鍵を使えません。名前がp{number}ではないか、他の人の鍵です。',
  'Player {number} cannot have this key: {problem}.': 'プレイヤー{number}はこの鍵を使えません: {problem}。',
  'Player {number} has dropped.': 'プレイヤー{number}は棄権しています。',
  'Player {number} has not dropped.': 'プレイヤー{number}は棄権していません。',
  'Player {number} is checked in already.': 'プレイヤー{number}はすでにチェックイン済みです。',
  'Player {number} is not checked in.': 'プレイヤー{number}はチェックインしていません。',
  'Player {number} is not registered.': 'プレイヤー{number}は登録されていません。',
  "Player {number} is registered already, or has somebody else's claim code.":
    'プレイヤー{number}はすでに登録されているか、他の人の登録コードを持っています。',
  'Player {number} stands in the round twice.': 'プレイヤー{number}が同じラウンドに二度現れます。',
  'Player {number} was not registered with the name that the names file has.':
    'プレイヤー{number}は、名簿ファイルにある名前で登録されたのではありません。',
  Players: 'プレイヤー',
  'Players stand here by their numbers. Names are not in the record.': 'プレイヤーは番号で示しています。記録に名前はありません。',
  "Players who were checked in on a device of staff's: {count}.": 'スタッフの端末でチェックインしたプレイヤー: {count}人。',
  'Players whom staff checked in, without a claim code: {count}.': '登録コードなしでスタッフがチェックインさせたプレイヤー: {count}人。',
  'Players: {registered} registered, {in} in, {dropped} dropped.': 'プレイヤー: 登録{registered}人、チェックイン済み{in}人、棄権{dropped}人。',
  'Proofs and openings': '証明と開示',
  Result: '結果',
  'Rolls ({count})': 'ロール({count}件)',
  'Rolls and parties that judges and others changed at tables: {count}.': 'ジャッジなどが卓で変えたロールと参加者: {count}件。',
  'Rolls were called off, left without dice, ruled void or corrected: read the notices.':
    '取り消された、サイコロのないまま残された、無効と裁定された、または訂正されたロールがあります。通知を読んでください。',
  'Round {round}': '第{round}ラウンド',
  'Round {round} cannot be paired now: the next one is round {due}, when no round runs.':
    '今は第{round}ラウンドを組めません。次は、進行中のラウンドがないときの第{due}ラウンドです。',
  'Round {round} cannot start: it is not the one that is being paired, or has no table.':
    '第{round}ラウンドは始められません。組み合わせ中のラウンドではないか、卓がありません。',
  'Round {round} has no table {table}.': '第{round}ラウンドに{table}番卓はありません。',
  'Round {round} has not ended: the event cannot close.': '第{round}ラウンドが終わっていないので、イベントを終了できません。',
  'Rules: whether every event of the games was allowed, and what the dice mean. {command} checks them.':
    'ルール: ゲームのどのイベントも認められるものであったか、サイコロが何を意味するか。{command}で検証してください。',
  'Show {count} more of {left}': '残り{left}件のうち{count}件を表示',
  'Signatures, chain and dice are checked by a second program, written from the specification alone, that shares nothing with rollproof verify. The rules are checked by the same Python as by rollproof verify: about the rules it is no second opinion.':
    '署名、チェーン、サイコロは、仕様だけから書かれ、rollproof verifyと何も共有しない第二のプログラムが検査します。ルールはrollproof verifyと同じPythonが検査します。ルールについては第二の意見ではありません。',
  'Size and root of the log': 'ログのサイズとルート',
  'Size and root of what holds': '成り立つ部分のサイズとルート',
  'Something in this file is not as it was signed. No signature shows who made the flaw: anybody who had the file can have made it.':
    'このファイルには、署名されたとおりでないところがあります。その欠陥の裏に誰の鍵もありません。ファイルを持っていた人なら誰でも作れたものです。',
  'Statement {number} does not hold, so there is no evidence.': '陳述{number}が成り立たないため、証拠はありません。',
  'Step 6: the rules': '手順6: ルール',
  Stop: '中止',
  Table: '卓',
  'Table {table} cannot be cancelled: it is not in the round, or stands there twice.':
    '{table}番卓は取り消せません。このラウンドにないか、二度書かれています。',
  'Table {table} has a match result that stands.': '{table}番卓には確定したマッチの結果があります。',
  'Table {table} has more than {most} players.': '{table}番卓のプレイヤーが{most}人を超えています。',
  'Table {table} has no match result that could be corrected.': '{table}番卓には、訂正できるマッチの結果がありません。',
  'Table {table} is left twice.': '{table}番卓が二度残されています。',
  'Table {table} must have a match result or be left with a reason, and not both.':
    '{table}番卓には、マッチの結果か、残す理由のどちらか一方だけが必要です。',
  'Table {table} stands in the round twice.': '{table}番卓が同じラウンドに二度現れます。',
  'Tables at which dice were thrown by hand, without proof: {count}.': '手でサイコロを振り、証明が残らなかった卓: {count}卓。',
  'Tables of ended rounds with a slip that not all sides signed: {count}.':
    '終わったラウンドで、全員の署名がそろっていない結果票のある卓: {count}卓。',
  'Tables that were cancelled or changed after their round had started: {count}.': 'ラウンドの開始後に取り消されたか変えられた卓: {count}卓。',
  'Tables that were left without a match result when their round ended: {count}.': 'ラウンドの終了時にマッチの結果のないまま残された卓: {count}卓。',
  "That this roll took these links of their chains, and its number, is {keeper}'s word: the log shows it.":
    'このロールがチェーンのこれらのリンクを使ったことと、ロールの番号は、{keeper}の言葉です。ログを見れば分かります。',
  'The claim code of player {number} did not sign this key.': 'プレイヤー{number}の登録コードは、この鍵に署名していません。',
  'The dice that it shows are not those of event {index}.': '示されたサイコロは、イベント{index}のものではありません。',
  'The dice were fair; a judge put another result in their place.': 'サイコロは公正でした。ジャッジが別の結果に置き換えました。',
  'The dice were fair; a judge ruled the roll void.': 'サイコロは公正でした。ジャッジがこのロールを無効と裁定しました。',
  'The dice were fair; somebody agreed to take the roll back: read the notices.':
    'サイコロは公正でした。ロールの取り消しに同意した人がいます。お知らせをお読みください。',
  'The dice were fair; {names} took the roll back.': 'サイコロは公正でした。{names}がロールを取り消しました。',
  'The dice, which follow from these links: {dice}.': 'これらのリンクから導かれるサイコロ: {dice}。',
  'The event': 'イベント',
  'The event and the games of its tables are as they were signed, and their dice follow from secrets that were fixed before each roll.':
    'イベントと各卓のゲームは署名されたとおりであり、サイコロはどのロールの前にも決まっていた秘密から導かれています。',
  'The event is closed: nothing follows.': 'イベントは終了しています。この後には何も続きません。',
  'The event is not closed: more may follow, or its end is missing.': 'イベントは終了していません。続きがあるか、終わりが欠けています。',
  "The event's terms are not valid: {problem}.": 'イベントの条件が有効ではありません: {problem}。',
  'The fault is with the key of {fault}, which signed this or signed over it.':
    '責任は{fault}の鍵にあります。その鍵が、これに、またはこれを含む履歴に署名しました。',
  'The file is no event log: its first line opens no event.': 'このファイルはイベント記録ではありません。1行目がイベントを開いていません。',
  'The file that was saved at the table (*.jsonl), or that of an event (*.bundle). If more files came with it, choose them all.':
    '卓で保存したファイル(*.jsonl)か、イベントのファイル(*.bundle)です。ほかのファイルも一緒に届いたら、すべて選んでください。',
  'The game of table {table} in round {round} is not in the bundle.': '第{round}ラウンドの{table}番卓のゲームが記録一式にありません。',
  "The keeper's signature on each line, the chain, each act's own signature, and rules E1 to E32.":
    '各行の記録係の署名、連鎖、各行為そのものの署名、および規則E1からE32。',
  'The line that it gives for event {index} is no event: {problem}': 'イベント{index}として示された行はイベントではありません: {problem}',
  'The line that it gives for event {index} is not in what {keeper} signed.':
    'イベント{index}として示された行は、{keeper}が署名したものの中にありません。',
  'The line that it gives for event {index} is not that event of this game.':
    'イベント{index}として示された行は、このゲームのそのイベントではありません。',
  'The links give other dice than it shows.': 'リンクから導かれる出た目が、示された出た目と違います。',
  'The log of table {table} in round {round} does not hold ({code}): {problem}':
    '第{round}ラウンドの{table}番卓のログは成り立ちません({code}): {problem}',
  'The log of table {table} in round {round} has other events than {keeper} sealed.':
    '第{round}ラウンドの{table}番卓のログは、{keeper}が封印したものと違うイベントを含みます。',
  'The log of table {table} in round {round} is cut: {size} events were sealed.':
    '第{round}ラウンドの{table}番卓のログは途中で切れています。{size}個のイベントが封印されています。',
  'The names file cannot be used.': '名簿ファイルは使えません。',
  'The names file is that of another event.': '名簿ファイルは別のイベントのものです。',
  'The names file: its names are those that were registered.': '名簿ファイル: その名前は、登録されたものです。',
  'The openings of its dice are not those of parties who have a part in them: {names}.':
    'そのサイコロの開示は、サイコロに関わる参加者のものではありません: {names}。',
  'The person who gave you this page could have changed it. Make it yourself with rollproof verify-page, and compare.':
    'このページを渡した人が書き換えているかもしれません。rollproof verify-pageで自分で作り、比べてください。',
  'The request, signed by {author}; the openings of {names} for this very roll; what they had committed to.':
    '{author}が署名した要求。まさにこのロールのための{names}の開示。その前にコミットされていたもの。',
  'The rules of the game are being checked…': 'ゲームのルールを検査しています…',
  'The rules of the game could not be checked here. {why} {command} checks them.':
    'ここではゲームのルールを検査できませんでした。{why}{command}なら検査できます。',
  'The rules of the game were checked too, by the same program as {command}.': 'ゲームのルールも、{command}と同じプログラムで検査しました。',
  'The rules of the game were not checked: {command} does that.': 'ゲームのルールは検証していません。{command}で検証できます。',
  "The signature of this act is not {by}'s: it is not what {by} signed.": 'この行為の署名は{by}のものではありません。{by}が署名した内容と違います。',
  'The state of the game': 'ゲームの状態',
  "The tables' dice: they are in their own logs, which a bundle has.": '各卓のサイコロ: それぞれのログにあり、記録一式に含まれます。',
  'This act of {by} stands in the log already.': '{by}のこの行為は、すでに記録にあります。',
  'This browser gives the page no WebCrypto here. Save the page and open it from disk, or over https.':
    'このブラウザでは、ここに開いたページはWebCryptoを使えません。ページを保存してディスクから開くか、httpsで開いてください。',
  'This is no bundle of an event: {problem}.': 'これはイベントの記録一式ではありません: {problem}。',
  'This is no evidence file.': 'これは証拠ファイルではありません。',
  'This is no proof of one roll.': 'これは1つのロールの証明ではありません。',
  'This is no verifier key and no id of a game: {text}': 'これは検証鍵でもゲームのIDでもありません: {text}',
  'This link has no proof of a roll in it that could be read: it was cut, or changed.':
    'このリンクから、ロールの証明を読み取れませんでした。途中で切れたか、変えられています。',
  Title: '題名',
  'To check it apart from this server, save the proof, and give it to rollproof verify:':
    'このサーバーとは別に確かめるには、証明を保存して rollproof verify に渡します:',
  'To the file': 'ファイルへ',
  Trust: '信頼',
  'Two programs have judged this log, and they differ: one of them has a flaw. Trust neither, and tell its makers. The other one says: {verdict}.':
    '二つのプログラムがこのログを判定し、結果が違いました。どちらかに欠陥があります。どちらも信じずに、作者に知らせてください。もう一方の判定: {verdict}。',
  'Verifier keys that players gave you, the id of the game, and of a proof the number of its event: one a line':
    'プレイヤーから受け取った検証鍵、ゲームのID、証明ならそのイベントの番号: 1行に1つ',
  'Verify a Rollproof log': 'Rollproofのログを検証する',
  'Verify again': 'もう一度検証する',
  'Verifying {name}…': '{name}を検証しています…',
  'Were the dice fair?': 'サイコロは公正でしたか?',
  'What else this page reads with them: evidence of a fork, receipts of the keeper (*.checkpoint), a policy of witnesses (*.policy), proofs of one event (*.tlog-proof), openings.':
    'このページが一緒に読むほかのファイル: 分岐の証拠、記録係の受領証(*.checkpoint)、立会人の方針(*.policy)、1つのイベントの証明(*.tlog-proof)、開示。',
  'What judges and others changed at tables: {count}': 'ジャッジなどが卓で変えたこと: {count}件',
  'What the rules have made of the events, as data': 'ルールがイベントから導いたもの(データ)',
  'What this page is worth': 'このページをどこまで信じるか',
  'What you know already': 'すでに知っていること',
  'Whether the options are such as the rules of {system} have: {command} checks that.':
    'オプションが{system}のルールにあるものかどうか。{command}で検証してください。',
  'Whether the rest of the game holds, and what was ruled about it after event {last}: ask for the log.':
    'ゲームの残りが成り立つか、イベント{last}より後にどう裁定されたか: ログを求めてください。',
  "Whether these were the dice that the game's rules take for this request, and what they come to.":
    'ゲームのルールがこの要求に対して使うサイコロだったか、その結果がどうなるか。',
  'Which history was played, and whether it was done on purpose or by a program that had lost its memory.':
    'どちらの履歴が実際にプレイされたか、また故意か、記憶を失ったプログラムによるものか。',
  'Which of several rolls somebody chose to show.': 'いくつものロールのうち、どれを選んで見せたのか。',
  'Who is behind a number or a key, and whether what people signed is true.': '番号や鍵の背後にいるのが誰か、また署名された内容が真実かどうか。',
  'Who starts round {round} had not seen its last pairings, which are in line {line}.':
    '第{round}ラウンドを始めた人は、{line}行目にある最後の組み合わせを見ていませんでした。',
  'Whose key it is: compare it with the one that {accused} gave you, or verify with that one.':
    '誰の鍵か: {accused}から直接もらった鍵と比べるか、その鍵で検証してください。',
  'Whose keys these are: a stranger can play a game with himself under any names.':
    '誰の鍵か: 見知らぬ人が、好きな名前で一人でゲームをすることもできます。',
  'a show says what its roll was for, with the salt, if the roll hid this, and only then':
    '用途を隠したロールを見せるときだけ、ソルトと用途を示します',
  actual: '実際の値',
  'and {count} more': '他{count}個',
  'being paired': '組み合わせ中',
  'byes: {numbers}': '不戦勝: {numbers}',
  'called off the roll of event {roll} before its dice were shown': 'イベント{roll}のロールを、サイコロが示される前に中止しました',
  'called off the roll of event {roll} before its dice were shown, and named as missing: {missing}':
    'イベント{roll}のロールを、サイコロが示される前に中止し、開示していないとして次の人を挙げました: {missing}',
  'checked: the cosignatures that the policy asks for are there.': '確認したこと: 方針が求める連署がある。',
  'checked: {author} signed the event itself.': '確認したこと: イベントそのものに{author}が署名した。',
  clause: '条項',
  conceded: '投了',
  'dice by hand: {text}': '手でサイコロを振った: {text}',
  'die {die}: {result}': '{die}番のサイコロ: {result}',
  'does not hold': '成り立たない',
  drawn: '引き分け',
  ended: '終了',
  error: 'エラー',
  'event {seq}': 'イベント{seq}',
  expected: 'あるべき値',
  fault: '責任',
  'gave {party} a new key: {party} may be somebody else now': '{party}に新しい鍵を与えました。{party}は今は別の人かもしれません',
  'goes on under a new key, by the recovery key': '復元用の鍵によって、新しい鍵で続けました',
  'holds, {events}': '成り立つ、{events}',
  "it has another format, '{format}'": '形式が異なります(「{format}」)',
  'it is not of a secret roll of this log': 'このログの秘密のロールのものではありません',
  'its body has another form': '本文の形が違います',
  'its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it':
    'チェックポイントに、記録係{keeper}の正しい署名がありません。誰にでも書けるものです',
  'its checkpoint is for {actual} events, not for {expected}':
    'チェックポイントはイベント{actual}個についてのもので、{expected}個についてのものではありません',
  'its dice are not known: no link of it, or not all': 'リンクがないか、そろっていないので、サイコロはわかりません',
  'its first line is no manifest': '1行目が目録ではありません',
  'its secret is not the one that {holder} sealed for this roll': 'その秘密は、{holder}がこのロールのために封じたものではありません',
  'left: {text}': '結果なし: {text}',
  'not checked: that the rest of the game holds; that takes the log.': '確認していないこと: ゲームの残りが成立すること。それにはログが必要です。',
  'not checked: that {author} signed it; that takes the key of {author}.':
    '確かめていないこと: {author}が署名したこと。それには{author}の鍵が要ります。',
  notice: '通知',
  'notice {code}: {message}': '注意 {code}: {message}',
  'or drop it here': 'または、ここにドロップ',
  "p and a number is a player's name": 'pと数字からなる名前はプレイヤーのものです',
  'paused for {minutes} minutes': '{minutes}分の中断',
  points: '得点',
  'round {round}, table {table}, event {event}, {by}: {what}': '第{round}ラウンド、{table}番卓、イベント{event}、{by}: {what}',
  'ruled the roll of event {roll} void. Why: {text}': 'イベント{roll}のロールを無効と裁定しました。理由: {text}',
  'ruled void what was declared in event {declared}. Why: {text}': 'イベント{declared}の宣言を無効と裁定しました。理由: {text}',
  running: '進行中',
  'set by {name}': '{name}が決定',
  'set results of the roll of event {roll}: {results}. Why: {text}': 'イベント{roll}のロールの結果を定めました: {results}。理由: {text}',
  'signed {party} away': '{party}を不在にしました',
  "the event's line is too long: at most {most} bytes": 'イベントの行が長すぎます。{most}バイトまでです',
  "the event's signature is not that of the {author} whose key was given": 'イベントの署名は、鍵が与えられた{author}のものではありません',
  'the evidence DOES NOT HOLD': '証拠は成立しません',
  'the evidence HOLDS (it is proof)': '証拠は成立します(証明になります)',
  'the keeper writes it, and the first organizer signs it': '記録係が書き、最初の主催者が署名します',
  'the line calls itself event {seq} of game {game}: the keeper put it where it does not belong':
    'この行はゲーム{game}のイベント{seq}と名乗っています。記録係が誤った場所に置いたものです',
  'the policy asks for more cosignatures; missing: {names}': '方針が求める連署が足りません。足りないもの: {names}',
  'the proof carries another event than the line that was given': '証明が運ぶイベントが、与えられた行と違います',
  "the proof has no event in it: give the event's line beside it": '証明にイベントが入っていません。イベントの行を添えてください',
  'the proof is about another game, {actual}': 'この証明は別のゲーム{actual}のものです',
  'the proof is about event {actual} of {size}, not about event {expected}':
    'この証明は全{size}個のうちのイベント{actual}についてのもので、イベント{expected}についてのものではありません',
  'the proof of a roll DOES NOT HOLD (it shows nothing)': 'ロールの証明は成り立ちません(何も示しません)',
  'the proof of a roll HOLDS': 'ロールの証明は成り立ちます',
  'the purpose that it gives for the roll is not the one that the request hid': 'ロールの用途が、要求に記されたものと違います',
  'this is no proof of one event (specs/checkpoints.md)': 'これは1つのイベントの証明ではありません(specs/checkpoints.md)',
  'this line is not event {index} of what {keeper} signed': 'この行は、{keeper}が署名したもののイベント{index}ではありません',
  'took back the roll of event {roll} after its dice were shown': 'イベント{roll}のロールを、サイコロが示された後で取り消しました',
  'took {party} out of the game': '{party}をゲームから外しました',
  'two of keeper and organizers share a name or a key': '記録係と主催者のうち二人が、同じ名前か鍵を持っています',
  'what a slip has of each side is sorted, each once': '結果票の項目は、順に並び、それぞれ一度だけです',
  'what it says of this roll': 'このロールについて',
  'whether the policy is met is not known: it takes ML-DSA-44 to check the cosignatures of {names}, and this browser does not have it':
    '方針が満たされているかどうかは分かりません。{names}の連署を確かめるにはML-DSA-44が必要ですが、このブラウザにはありません',
  won: '勝ち',
  '{accused} is no party of this game.': '{accused}はこのゲームの参加者ではありません。',
  '{accused} signed two histories of game {game}: there are two events {index}, with the leaf hashes {one} and {other}, and {accused} vouched for both. No honest program signs that.':
    '{accused}はゲーム{game}の二つの履歴に署名しました。リーフ・ハッシュが{one}と{other}の二つのイベント{index}があり、{accused}は両方を請け合っています。正直なプログラムがこれに署名することはありません。',
  '{accused} signed two histories of game {game}: there are two of its first {index} events, with the roots {one} and {other}, and {accused} vouched for both. No honest program signs that.':
    '{accused}はゲーム{game}の二つの履歴に署名しました。最初の{index}個のイベントが、ルート{one}と{other}の二通りあり、{accused}は両方を請け合っています。正直なプログラムがこれに署名することはありません。',
  '{actual} does not keep this event: {expected} writes its lines.': '{actual}はこのイベントの記録係ではありません。{expected}が各行を書きます。',
  '{author} did not sign this opening for this roll.': '{author}は、このロールのためのこの開示に署名していません。',
  '{author} opened link {index}, which no roll with this number takes.':
    '{author}が開示したリンク{index}は、この番号のロールが使うものではありません。',
  '{by} ({role}) does not write {type}.': '{by}({role})は{type}を書きません。',
  "{by} cannot agree to slip {line}: a later one took its place, or {by}'s side has signed it.":
    '{by}は{line}行目の結果票に同意できません。後の結果票に置き換えられたか、{by}の側がすでに署名しています。',
  '{by} cannot answer this appeal: a head judge or organizer does, who did not give the answer.':
    '{by}はこの上訴に回答できません。元の回答をしていないヘッドジャッジか主催者が回答します。',
  '{by} does not sit at table {table}.': '{by}は{table}番卓に座っていません。',
  '{by} is nobody who takes part in this event.': '{by}はこのイベントの関係者ではありません。',
  '{by} is not player {number}: players act for themselves.': '{by}はプレイヤー{number}ではありません。プレイヤーは自分の分だけを行います。',
  '{by} signed this act upon a line that is none of the {most} before it: in another history, or long ago.':
    '{by}は、直前の{most}行のどれでもない行の上でこの行為に署名しました。別の履歴か、ずっと前のものです。',
  '{fault} called rolls off that {fault} had opened for: read the notices.':
    '{fault}は、自分が開示していたロールを取り消しました。通知を読んでください。',
  "{file} holds: {holder}'s secret roll of event {request}: {came}": '{file}は成り立ちます。イベント{request}、{holder}の秘密のロール: {came}',
  '{file} is not a show of a secret roll (specs/protocol.md).': '{file}は、秘密のロールを見せるファイルの形をしていません(specs/protocol.md)。',
  '{judge} corrected this: {text}': '{judge}はこれを訂正しました: {text}',
  '{judge} gave a penalty for this: {text}': '{judge}はこれについて懲罰を与えました: {text}',
  '{judge} ruled this void: {text}': '{judge}はこれを無効と裁定しました: {text}',
  '{judge} upheld this: {text}': '{judge}はこれを支持しました: {text}',
  '{keeper} is not one of the keepers that the policy accepts': '{keeper}は、方針が認める記録係ではありません',
  '{keeper} named no game for table {table} in round {round}, which has ended.':
    '{keeper}は、終わった第{round}ラウンドの{table}番卓のゲームを記していません。',
  "{keeper} ordered these lines, and could leave acts out, not write or change anybody else's.":
    '{keeper}がこれらの行の順を定めました。行為を載せないことはできても、他の人の行為を書いたり変えたりはできません。',
  '{log} does not hold, so nothing can be checked against it.': '{log}が成り立たないので、何も照らし合わせられません。',
  '{minutes} minutes more': '{minutes}分延長',
  '{names} had no part in these dice, and the proof does not say why.': '{names}はこのサイコロに関わっていません。その理由は証明からは分かりません。',
  "{name} cannot be appointed: the name or the key is a player's, or was somebody's before.":
    '{name}は任命できません。名前か鍵がプレイヤーのものであるか、以前から誰かのものです。',
  '{name} does not stand where it may, or is too long': '{name}は、あってよい位置にないか、長すぎます',
  '{name} has no office here that could end.': '{name}には、終わらせるべき役職がありません。',
  '{name} is not as the first line of the bundle says: the file is incomplete or damaged. Get it again.':
    '{name}が記録一式の一行目の記載と違います。ファイルが途中で切れているか、壊れています。もう一度入手してください。',
  '{name} is the last organizer: an event has one.': '{name}は最後の主催者です。イベントには主催者が必要です。',
  '{name} is the log of a game that this event did not open.': '{name}は、このイベントが開いていないゲームのログです。',
  '{name} signed two histories of one game. That is proof against the key of {name}.':
    '{name}は1つのゲームの2つの履歴に署名しました。これは{name}の鍵に対する証明です。',
  '{party} agreed to take this roll back: where all who played did, nothing came of it. The log shows whether they did.':
    '{party}はこのロールの取り消しに同意しました。プレイしていた全員が同意していれば、このロールは何にもなりません。全員が同意したかはログでわかります。',
  '{path}: COULD NOT BE FINISHED ({code}, step {step}): {message}': '{path}: 終えられませんでした({code}、手順{step}): {message}',
  '{path}: FAILS (something is wrong; {code}, step {step}): {message}': '{path}: 不成立(どこかが誤っています。{code}、手順{step}): {message}',
};
