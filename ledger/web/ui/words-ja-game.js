/**
 * The Japanese of what a table shows besides: made by `python -m tests.make.words` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const JAPANESE = {
  '(something waits for you)': '(あなたを待っています)',
  '(you)': '(あなた)',
  ', ': '、',
  '. ': '。',
  '; ': '；',
  'A commit to a new seed chain gave away a link of this one, so this one is used up. Commit again.':
    'あなたのシード・チェーンのリンクの1つは、新しいチェーンの確定の際に明かされました。使い切られたので、改めて確定します。',
  'A correction cannot make a die count. Give its number to the die that counts, or void the roll.':
    '数えないサイコロは、訂正しても数えません。数えるサイコロをその目に訂正するか、ロールを無効にしてください。',
  'A judge cannot name {keeper}, the keeper, as missing, because it opens last. If it does not open, the table goes on in another game.':
    'ジャッジの無効化では、最後に開示する記録係の{keeper}を挙げません。記録係が開示しないときは、卓は別のゲームで続けます。',
  'A judge has let this phone in: it joins the game by itself.': 'ジャッジがこの電話を認めました。ゲームに自動で加わります。',
  'A judge ruled it void: nothing comes of it.': 'ジャッジがこれを無効と裁定しました。このロールからは何も起こりません。',
  'A judge who sits here can: {names}.': 'この卓に着いているジャッジならできます: {names}。',
  'A knock when dice come': 'サイコロが出たら音を鳴らす',
  'A link is a secret: anybody who has it can use it. The part after # is never sent to the server.':
    'リンクは秘密です。持っている人は誰でも使えます。#より後ろはサーバーに送られません。',
  'A name has 1 to 32 letters a–z, digits, dots, underscores and hyphens, and begins with a letter or a digit.':
    '名前は1文字から32文字で、英小文字、数字、ドット、下線、ハイフンが使え、英小文字か数字で始まります。',
  'A roll waits for everybody who has a part in it, however long. If somebody cannot come back, the person who gives the last part can call the roll off before giving it. A judge can too. Otherwise the game ends there.':
    'ロールは、加わる全員をいつまでも待ちます。戻れない人がいるときは、最後の分を出す人がその前に取りやめるか、ジャッジが取りやめます。どちらもできなければ、ゲームはそこで終わります。',
  'A roll waits: it will be left without dice. Close the game for everybody?':
    '待っているロールがあり、サイコロなしで終わります。全員のゲームを終了しますか。',
  'A roll waits: nobody can leave before it is over or called off.': 'ロールが待っています。終わるか取りやめられるまで、誰も抜けられません。',
  'A ruling is not taken back. Rule on the roll itself: the latest correction of its dice counts.':
    '裁定は取り消せません。ロールそのものを裁定してください。ダイスの最後の訂正が有効になります。',
  'A window for plugins': 'プラグインのためのウィンドウ',
  'About this: {author}, {what} ({time}).': '対象: {author}、{what}（{time}）。',
  'About this: {author}, {what}: {faces} ({time}).': '対象: {author}、{what}: {faces}（{time}）。',
  'After a mis-tap, all who play can together take back the latest roll, before anything is played on it. Its dice stay in sight, and the log shows who agreed.':
    '押し間違えたときは、次に何かが進む前なら、プレイしている全員で最後のロールを取り消せます。サイコロは見えたまま残り、誰が同意したかはログに載ります。',
  'After {count} {count:event|events}: {what}.': 'イベント{count}件の後: {what}。',
  'Agree to the terms, and ask to come in': '条件に同意して、参加を求める',
  'Agree to these terms and play as {name}': 'この条件に同意して、{name}としてプレイする',
  'Agree to {name}': '{name}に同意する',
  'All others together can then sign away the people it named, until they are back, and go on.':
    'そこで名指しされた人は、ほかの全員がそろえば、戻るまで離席とすることができ、ゲームを続けられます。',
  'All terms': 'すべての条件',
  'An opening came in the name of {author}, and it does not hold ({code}). It has no effect. If the roll waits, ask {author}.':
    '{author}の名で、成り立たない開示({code})が来ました。そこからは何も導かれません。ロールが待っているなら、{author}に尋ねてください。',
  'Another tab of this browser follows this table, and does not pass on what comes. This tab shows nothing new. Close the other tabs of this table.':
    'このブラウザの別のタブがこの卓を追っていますが、このタブには何も伝えません。届いたものはここには表示されません。この卓の他のタブを閉じてください。',
  'Another tab of this browser holds this seat, and does not give it back. This tab signs and opens nothing. Close the other tabs of this table.':
    'このブラウザの別のタブがこの席を使ったまま返しません。ここでは何も署名も開示もされません。この卓の他のタブを閉じてください。',
  'Anybody who opens it asks {host} to be let in.': '開いた人は、{host}に参加の許可を求めることになります。',
  'As a file that shows it': '見せるファイルとして保存',
  'As soon as you sit in the game, have agreed to its terms, and it has begun, that page can ask you to roll.':
    'あなたがゲームの席に着き、条件に同意し、ゲームが始まると、そのページはあなたに振るよう求められます。',
  'Away: {names}.': '離席中: {names}。',
  'Before the next roll the page of {names} has to prepare for it, and {names} is not here. The others can go on without {names}, until {names} is back.':
    '次のロールの前に{names}のページが準備する必要がありますが、{names}はここにいません。{names}が戻るまで、ほかの人は{names}抜きで続けられます。',
  'Before the roll was asked for, {holder} had fixed a secret for it, which nobody else knows. The dice follow from this secret and from a secret of each of {names}. So only {holder} knows the dice, and {holder} cannot change them.':
    '求められる前に、{holder}はこのロールの秘密を確定していました。それは他の誰も知りません。サイコロの目は、それと{names}のそれぞれの秘密から決まります。ですから目を知るのは{holder}だけで、何も変えられません。',
  'Before this roll {names} each fixed a chain of secrets: nobody can change it afterwards, and nobody else knows it.':
    'このロールの前に、{names}がそれぞれ秘密の連なりを確定しました。後から変えることは誰にもできず、他の人は知りません。',
  'Behind my screen': '自分のついたての陰',
  'Being worked out…': '計算しています…',
  'By hand': '手作業で',
  'Call this roll off': 'このロールを取りやめる',
  'Call this roll off, as judge': 'ジャッジとしてこのロールを取りやめる',
  'Call this roll off; it waits for {names}': 'このロールを取りやめる（{names}を待っています）',
  'Choose it in the log': 'ログで選ぶ',
  'Close the game': 'ゲームを終了する',
  'Close the game for everybody?': '全員のゲームを終了しますか。',
  'Code of the table': '卓のコード',
  'Connected with {origin}': '{origin} とつながっています',
  Correct: '訂正',
  'Corrected by the judge {judge}, {dice}: {reason}': 'ジャッジ{judge}が訂正、{dice}: {reason}',
  Delete: '削除する',
  'Delete it from the server': 'サーバーから削除する',
  'Delete this game from the server, for everybody?': 'このゲームを、全員について、サーバーから削除しますか。',
  Dice: 'サイコロ',
  'Dice with plus, minus, keep and drop, such as {example} or 4d6kh3; without rerolls and explosions. What they are for stands below.':
    '足し引きと、残す・捨てるだけのサイコロ。たとえば{example}や4d6kh3。振り直しと爆発はできません。何のためかは下に書きます。',
  'Dice: everybody at the table except judges has a part in every roll, and so has the server. A roll waits for anybody who is not there.':
    'サイコロ: ジャッジを除く卓の全員とサーバーが、すべてのロールに加わります。いない人がいると、ロールは待ちます。',
  'Dice: only {names} have a part in every roll. If all of these worked together, they could choose dice. The others need not be there.':
    'サイコロ: {names}だけがすべてのロールに加わります。この全員が共謀すれば、出た目を選べます。他の人はいなくても構いません。',
  'Dice: the person who rolls, the server and the witnesses have a part in a roll; the others need not be there.':
    'サイコロ: 振る人とサーバー、立会人がロールに加わります。ほかの人はいなくてもかまいません。',
  'Did you have a seat here? Its keys were only in this browser. If you or the browser cleared the site’s data, those keys are gone. Go on with a new one, as above, and tell the others without using this server.':
    'ここに席がありましたか? その鍵はこのブラウザだけにありました。あなたかブラウザがサイトのデータを消したなら、鍵は失われています。上のように新しい鍵で続け、別の方法でほかの人に知らせてください。',
  Disconnect: '切断する',
  'Each entry of the log has a button “Rule” for what is ruled about it.': 'ログの各項目に、それについて裁定する「裁定する」ボタンがあります。',
  'End the game': 'ゲームを終える',
  'Event {request} is not a secret roll that you hold and have not shown.':
    'イベント{request}は、あなたが持っていてまだ見せていない秘密のロールではありません。',
  'Event {seq} breaks the rules of the game, but the server shows it as part of the game: {problem}':
    'イベント{seq}はゲームのルールでは成り立ちませんが、サーバーはそれをゲームの一部として示しています: {problem}',
  'Event {seq} has no dice that everybody could see.': 'イベント{seq}には、全員に見えるサイコロがありません。',
  'Event {seq} is no roll.': 'イベント{seq}はロールではありません。',
  "Event {seq}, {type}, has an opening by {me}'s key that {me} did not make in this browser. Either somebody else has the key and the seeds, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.":
    'イベント{seq}({type})に、{me}がこのブラウザで行っていない開示が、{me}の鍵で入っています。誰か他の人が鍵とシードを持っているか、このブラウザの記憶が失われました。このゲームではもう署名も開示もしません。別の方法で他の人とジャッジに伝えてください。',
  "Event {seq}, {type}, is signed with {me}'s key, but not by {me} in this browser. Either somebody else has the key, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.":
    'イベント{seq}({type})は{me}の鍵で署名されていますが、{me}がこのブラウザで署名したものではありません。誰か他の人が鍵を持っているか、このブラウザの記憶が失われました。このゲームではもう署名も開示もしません。別の方法で他の人とジャッジに伝えてください。',
  'Every event': 'すべてのイベント',
  'Every natural counts here, ignored and rerolled ones too, under the player who asked for it. These counts convict nobody: honest dice are uneven too, and few dice cannot show a small bias. Among many counts, some always look unusual.':
    'ここでは、無視されたものや振り直されたものも含め、すべての出た目を、それを求めたプレイヤーの分として数えます。この数は誰の不正も示しません。公正なサイコロでも偏りは出ますし、少ないサイコロでは小さな偏りは分かりません。多くのものを見れば、珍しいものが見つかります。',
  Everybody: '全員',
  'Everybody at the table has a part in every roll.': '卓の全員がすべてのロールに加わります。',
  'Everybody has had a part in the roll: the server shows the dice next.': '全員がロールに加わりました。次にサーバーがサイコロを公開します。',
  'Everybody is here.': '全員がいます。',
  'Everything else': '他にできること',
  'Fair: {names} each had a part in it, {others} had none; this browser has checked it.':
    '公正: {names}がそれぞれ関わり、{others}は関わっていません。このブラウザが確かめました。',
  'Fair: {names} each had a part in it; this browser has checked it.': '公正: {names}がそれぞれ加わり、このブラウザが検証しました。',
  'First your page shows the opening that was called missing.': 'まず、届いていないとされた開示をあなたのページが見せます。',
  'For {size} {size:event|events} the code here is {code}. Ask for theirs again, for the same number. If every digit is right, they were shown another history: save both logs, and compare them with rollproof compare.':
    '{size}件のイベントについて、ここでのコードは{code}です。同じ件数のコードをもう一度尋ねてください。すべての数字が正しければ、相手は別の履歴を見せられています。両方のログを保存し、rollproof compareで比べてください。',
  'For {time}.': '{time}経過。',
  'From now on this browser signs and opens nothing in this game. Move?': '今後このブラウザは、このゲームで署名も開示もしません。移しますか。',
  'Go on without {names}': '{names}抜きで続ける',
  'I am back': '戻りました',
  'I am back, and accept them': '戻りました。承認します',
  'I have read this': '読みました',
  'I was here, and my browser is lost': 'ここにいましたが、ブラウザを失いました',
  'I was {name} here': 'ここでは {name} でした',
  'If a judge is to call the roll off, tap this first: then your part stays not given, and nobody can know the dice.':
    'ジャッジがこのロールを取りやめるときは、先にこれをタップします。あなたの分は出ないままになり、誰もサイコロを知ることができません。',
  'If somebody opens this link, their browser checks the roll. The link shows that these dice were fair, and nothing about other rolls.':
    'このリンクを開くと、その人のブラウザがロールを確かめます。分かるのはこのサイコロが公正だったことで、ほかのロールのことは分かりません。',
  'If this browser is lost, a file makes you a new key, and shows that it is yours: for a season, a league, the same friends. It signs in no game.':
    'このブラウザをなくしても、ファイルから新しい鍵を作り、同じ人だと示せます。シーズンやリーグ、いつもの仲間のために。ゲームの署名はできません。',
  'In place of the roll that {judge} ruled void': '{judge}が無効としたロールの代わり',
  Invite: '招待する',
  'It gives it by itself when the others have.': 'ほかの人が加わると、自動で加わります。',
  'It goes on there. Here you look on.': 'そこで続きます。ここでは観戦だけができます。',
  'It is not known whether {keeper}, the keeper, has taken event {seq} of {author}. Until it has, nothing is signed after it.':
    '記録係の{keeper}が{author}のイベント{seq}を受け取ったことはまだ分かっていません。受け取るまで、その上に何も署名しません。',
  'It is not known whether {keeper}, the keeper, has taken the request. You open when its checkpoint is here.':
    '記録係の{keeper}がこの要求を受け取ったことはまだ分かっていません。そのチェックポイントが届いたら開示します。',
  'It is your turn: {choice}.': 'あなたの番です: {choice}。',
  'It sees the rolls of this table, and asks here when you are to roll.': 'このテーブルのロールが見え、あなたが振るときはここで求めます。',
  'It signs and opens nothing more here. A judge can take it out, or the table goes on in a new game.':
    'ここでは、もう署名も開示もしません。ジャッジがこの席を外すか、新しいゲームで続けます。',
  'It takes effect when all who have a say in it have said so too. Still missing: {others}.':
    '決定に加わる全員が同じように示すと有効になります。まだの人：{others}。',
  'It takes effect when the server finds that {name} is gone: the latest roll was called off because {name} did not open, and {name} has not been connected for 15 seconds.':
    '{name}がいないとサーバーが判断すると有効になります。直近のロールが{name}の開示がないため取りやめになり、{name}が15秒間接続していない場合です。',
  'It was called off, before the dice could be known. The secrets for it are used up, and the same roll is owed.':
    'サイコロがわかる前に取りやめられました。そのための秘密は使い切りとなり、同じロールを行うことになります。',
  'It was rolled behind the screen; {holder} chose to show it.': 'ついたての陰で振られ、{holder}が見せることを選びました。',
  'It would see the rolls of one table of yours from now on, with names, and may ask you to roll.':
    'そのページには、これからあなたのテーブル一つのロールが名前とともに見え、あなたに振るよう求めることができます。',
  'Its address is not secure (http): anybody on its network can pose as that page.':
    'そのアドレスは保護されていません (http)。同じネットワークにいる人は、そのページになりすませます。',
  'Its dice, by number: {dice}. “1=6” says that die 1 counts as 6; without dice the ruling is in words alone.':
    '番号順のサイコロ: {dice}。「1=6」は1番のサイコロを6と数えることです。サイコロを書かなければ、言葉だけの裁定になります。',
  'Its event 0 is not that of the game that was shown.': 'そのイベント0は、示されたゲームのものではありません。',
  'Keep yourself safe?': 'プロフィールの控えを取りますか？',
  'Leave the game for good? Nobody can let you back in.': 'ゲームから完全に抜けますか。戻ることはできません。',
  'Let {name} go on': '{name} に続けてもらう',
  'Let {name} in': '{name}を入れる',
  'Let {name} read out the code of the new key. This one’s is {code}.':
    '新しい鍵のコードを{name}に読み上げてもらってください。この鍵のコードは{code}です。',
  'Line {seq} that the server sent does not hold: {problem}': 'サーバーが送った{seq}行目は成り立ちません: {problem}',
  'Lines that begin with $ are for a shell with openssl 3, xxd and sed. Their output ends with the line below.':
    '$で始まる行は、openssl 3、xxd、sedのあるシェルで実行できます。その出力は、すぐ下の行で終わります。',
  'Link for a judge': 'ジャッジ用のリンク',
  'Link for a witness': '立会人用のリンク',
  'Link for players': 'プレイヤー用のリンク',
  'Link for spectators': '観戦者用のリンク',
  'Link for the game master': 'ゲームマスター用のリンク',
  'Load the rules (6 MB)': 'ルールを読み込む(6 MB)',
  Log: 'ログ',
  Luck: '運',
  'Make a new one, which ends this': '新しいリンクを作り、これを終わらせる',
  'Make that roll first': '先にそのロールを行う',
  'Move this seat': 'この席を移す',
  'Move this seat to another device': 'この席を別の端末に移す',
  No: 'いいえ',
  'No dice yet.': 'まだサイコロはありません。',
  'No dice yet. As soon as somebody rolls, they are seen here.': 'まだサイコロはありません。誰かが振ると、ここに見えます。',
  'No dice yet. First comes what stands below.': 'まだサイコロは振られていません。まず下の項目を済ませてください。',
  'No dice yet. Roll below: everybody sees them here at once.': 'まだサイコロはありません。下で振ると、ここですぐに全員に見えます。',
  'No dice yet. What the players roll is seen here.': 'まだサイコロはありません。プレイヤーが振ったサイコロはここに見えます。',
  'No dice yet: {count} must still agree.': 'まだサイコロはありません。{count}人の同意を待っています。',
  'No dice yet: {names} must still agree.': 'まだサイコロはありません。{names}の同意を待っています。',
  'No dice: it was called off before they were shown.': 'サイコロなし: 公開される前に取りやめられました。',
  'No dice: the game was closed while it waited.': 'サイコロなし: 待っているあいだにゲームが終了しました。',
  'No roll waits for dice in this game.': 'このゲームでサイコロを待っているロールはありません。',
  'Nobody asks with this key any more.': 'この鍵で求めている人はもういません。',
  'Nobody can roll without {names}': '{names}がいないと誰もロールできません',
  'Nobody else sits here yet: send the link first.': 'まだ他に誰も席に着いていません。先にリンクを送ってください。',
  'Nobody here is called {name}.': 'ここに {name} という人はいません。',
  'Nobody sits here with the key {key}.': '鍵{key}の人はここに着席していません。',
  'Nobody yet.': 'まだ誰もいません。',
  'Not connected any more': 'もうつながっていません',
  'Not now': '今はしない',
  'Not rolled yet: it waits for everybody’s part.': 'まだ振られていません。皆の分を待っています。',
  'Not the same.': '同じではありません。',
  'Not {name}?': '{name}ではない?',
  'Nothing in the game depends on such a roll: it is a record. The log counts those that are not shown.':
    'このロールはゲームに何も影響しません。記録にすぎず、見せていないものはログが数えます。',
  'Nothing is signed unless you tap for it here. No key of yours leaves this browser.':
    'ここでタップしないかぎり、何も署名されません。あなたの鍵がこのブラウザから出ることはありません。',
  'Nothing that you opened was called missing.': 'あなたが開示したもので、届いていないとされたものはありません。',
  'Nothing was signed: the step before is not over. When it is, choose again.':
    '前のことが終わっていないため、何も署名していません。終わってから、もう一度選んでください。',
  'Nothing yet.': 'まだ何もありません。',
  Now: '今',
  'Number {number}': '{number}番',
  'One moment: read first.': '少しお待ちください。先に読んでください。',
  'Only after that did each give one secret, signed for this roll and no other. All secrets together make the dice, so nobody could choose or predict them unless all of {names} worked together.':
    'その後で初めて、それぞれがこのロールのためだけに署名した秘密を1つ明かしました。すべての秘密を合わせたものがサイコロになるので、{names}の全員が組まないかぎり、誰にも選べず、予測もできません。',
  'Only the host of this table can do this, in the browser where it was opened.':
    'これができるのは、この卓の主催者だけ、卓を開いたブラウザでだけです。',
  'Only the link for spectators works here: an address that others may see must not give a seat.':
    'ここで使えるのは観戦者用のリンクだけです。ほかの人に見えるかもしれないアドレスで、席に着けてはなりません。',
  'Only the server says so: nobody has asked with a link of this table. It may be the server’s own doing. Do not agree before you have asked {name} and {host}.':
    'そう言っているのはサーバーだけです。このテーブルのリンクで求めた人はいません。サーバー自身のしわざかもしれません。{name} と {host} に確かめるまで、同意しないでください。',
  'Only you can know whether these are the people to whom you sent the link: look at their names.':
    'リンクを送った相手かどうかは、あなたにしか分かりません。名前を確かめてください。',
  'Only you see these. If you show some, the log says how many others are not shown. A file shows the same to anybody who has the log, even after the game.':
    'これらはあなただけに見えます。いくつか見せると、見せていないものが他にいくつあるかもログに出ます。ファイルは、ゲームの後でも、ログを持つ人に同じことを示します。',
  'Only you see this': 'あなただけに見えています',
  'Open the table itself': 'テーブルそのものを開く',
  'Opened by {host}. These terms are signed, and cannot change any more.': '{host}が開きました。この条件は署名されており、もう変わりません。',
  'Or a short link, which this server keeps until you take it back. A chat shows its dice as a picture. Everybody at the table can see that the roll is published. Without names, the page shows no names, but the proof in it has them.':
    'または短いリンクにもできます。取り消すまでこのサーバーが保管し、チャットではサイコロが画像で表示されます。ロールが公開されていることは、卓の全員が見られます。名前なしではページに名前は表示されませんが、中の証明には含まれます。',
  'Other links': 'その他のリンク',
  'Parts of this page': 'このページの各部',
  Penalty: '懲罰',
  'Play again: a new table like this one': 'もう一度遊ぶ: 同じ設定の新しいテーブル',
  'Publish it under a short link, with names': '短いリンクで公開する (名前あり)',
  'Publish it under a short link, without names': '短いリンクで公開する (名前なし)',
  'QR code of the link for players': 'プレイヤー用リンクのQRコード',
  'Read it to the others without using this server: aloud, or in a chat. People with the same code for the same number of events see the same log.':
    'このサーバーを通さない方法で、声に出すかチャットで、他の人に伝えてください。イベントの数が同じでコードも同じなら、同じログを見ています。',
  'Reroll the {faces}': '{faces}を振り直す',
  Results: '結果',
  Roll: '振る',
  'Roll behind the screen': 'ついたての陰で振る',
  'Roll blind: only the game master sees the dice': 'ブラインド・ロール: 目を見るのはゲームマスターだけ',
  'Roll {what}': '振る：{what}',
  'Roll: only I see it': '振る: 自分だけが見る',
  'Roll: only {name} sees it': '振る: {name}だけが見る',
  Rolls: 'ロール',
  'Rolls behind a screen are left out: {rolls}.': 'ついたての陰のロールは数えていません: {rolls}。',
  'Rolls that were made without somebody, who has not accepted them: {count}. Their dice are not counted here.':
    '誰か抜きで行われ、その人が承認していないロール: {count}。そのサイコロはここでは数えません。',
  'Rolls that were made without you: {count}. They are marked so, and count in no luck and no season until you accept them.':
    'あなた抜きで行われたロール: {count}。そう印が付き、あなたが承認するまで、運の統計にもシーズンにも数えません。',
  Rule: '裁定する',
  'Rule on {what}': '{what}について裁定する',
  'Rulings, called off': '裁定、取りやめ',
  Save: '保存',
  'Save it as a file': 'ファイルに保存する',
  'Save the evidence of it': 'それを示すものを保存',
  'Save the log': 'ログを保存',
  'Save the story': '物語を保存する',
  'Saved among your downloads: {files}. Send that to the people who are to check the game, with this address: {address}':
    'ダウンロードに保存しました: {files}。ゲームを確かめる人に、このアドレスと一緒に送ってください: {address}',
  'Show everybody: {what}': '全員に見せる: {what}',
  'Show everything again': 'すべて表示する',
  'Show it as a QR code': 'QRコードで表示する',
  'Show more ({count} left)': 'さらに表示(残り{count})',
  'Show the dice alone': 'サイコロだけを表示する',
  'Show the names': '名前を表示する',
  'Show this roll to somebody': 'このロールを誰かに見せる',
  'Sit down': '席に着く',
  'Somebody asks to go on as you, in a new browser. As long as you are here, this has no effect. If that is not you, tell the others.':
    '誰かが、新しいブラウザであなたとして続けたいと求めています。あなたがここにいる限り、何も起こりません。あなたでなければ、ほかの人に知らせてください。',
  'Somebody asks to go on as you, in a new browser. If that is not you, say that you are back: then this has no effect.':
    '誰かが、新しいブラウザであなたとして続けたいと求めています。あなたでなければ、戻ったと伝えてください。そうすれば何も起こりません。',
  'Somebody comes': '誰かが来ます',
  'Somebody else is called {name} at this table: choose another name.': 'この卓には{name}という人が既にいます。別の名前を選んでください。',
  'Somebody is away, back, or leaves': '誰かが席を外した、戻った、離れる',
  'Somebody was faster, and this may mean something else now. If you still want it, tap again.':
    '他の人が先でした。意味が変わったかもしれません。それでもよければ、もう一度押してください。',
  'Somebody who sits here by a link that was ended keeps the seat, until you take it away.':
    '終わったリンクで着席した人の席は、あなたが外すまで残ります。',
  'Somebody with the link claims to be {name}, in a new browser. Ask {name} without using this server: the new browser gets everything that is {name}’s. All others, two or more, must agree, and the log names them.':
    'リンクを持つ誰かが、新しいブラウザの {name} だと言っています。別の方法で {name} に確かめてください。続ける人は、{name} のものをすべて引き継ぎます。ほかの全員(二人以上)の同意が必要で、その名前はログに残ります。',
  'Start with {names}': '{names}で始める',
  'Start with {names}, and agree to the terms': '{names}で始め、条件に同意する',
  'Start: nobody sits here yet': '始める: まだ誰も席にいません',
  'Start: waits for {names} to sit down; they have a part in every roll': '始める: すべてのロールに加わる{names}を待っています',
  'Step by step, with lines to redo it by hand': '一段階ずつ、手作業で確かめるための行つき',
  'Struck through: does not count.': '取り消し線: 数えません。',
  Table: '卓',
  'Take a seat': '席に着く',
  'Take back the {dice}? Asked by: {names}.': '{dice}を取り消しますか？ 提案した人: {names}。',
  'Take no part in this roll': 'このロールにはもう加わらない',
  'Take somebody out': '席から外す',
  'Take this link back': 'このリンクを取り消す',
  'Take this roll back': 'このロールを取り消す',
  'Take {name} out': '{name}を席から外す',
  'Take {name} out of the game for good?': '{name}をゲームから完全に外しますか。',
  'Tap dice to roll them again.': '振り直すサイコロをタップしてください。',
  'That page sent more than a plugin may send.': 'そのページは、プラグインが送るより多くを送りました。',
  'The body has something in it that no event can have.': 'どのイベントにも入れられないものが内容にあります。',
  'The browser of {name} is lost, and {name} has a new one: the recovery key of {name} says so. It goes on there with everything that is {name}’s.':
    '{name} のブラウザが失われ、{name} は新しいブラウザを使っています。{name} の復旧鍵がそう言っています。{name} のものはすべて、そこで続きます。',
  'The checkpoint that the server sent does not fit: {problem}.': 'サーバーが送ったチェックポイントが合いません: {problem}。',
  'The code of your key, to read out to them: {code}': 'あなたの鍵のコードです。ほかの人に読み上げてください：{code}',
  'The dice': 'サイコロ',
  'The dice alone, for a stream or a screen': 'サイコロだけの表示（配信や画面用）',
  'The dice are as this browser checked them. What they came to is as the server counted it. The log itself is the proof: {command} checks it.':
    'サイコロはこのブラウザが検証したとおりです。結果はサーバーが数えたものです。証拠はログそのもので、{command}で検証できます。',
  'The dice are on their way…': 'サイコロがまもなく届きます…',
  'The game has begun. Ask {host} to let you in.': 'ゲームは始まっています。{host}に参加を求めてください。',
  'The game has not begun.': 'ゲームはまだ始まっていません。',
  'The game is over.': 'ゲームは終わりました。',
  'The game is over. Its log is whole, here and with everybody: save it, verify it.':
    'ゲームは終わりました。ログの全体が、ここにも全員のもとにもあります。保存して、検証してください。',
  'The game is over. No dice were rolled.': 'ゲームは終わりました。サイコロは振られませんでした。',
  'The game master may roll behind a screen. Only the game master sees such dice, and chooses whether to show them. Nothing in the game depends on them. The log counts the rolls that are not shown.':
    'ゲームマスターはついたての陰で振ることができます。そのサイコロはゲームマスターだけのもので、見せることも見せないこともできます。ゲームの何もそれに左右されず、見せていないものはログが数えます。',
  'The game: {title}.': 'ゲーム: {title}。',
  'The keeper has not signed over these dice yet: try again in a moment.':
    '記録係がまだこのサイコロに署名していません。少し待ってからもう一度試してください。',
  "The key of {name} is that of the server's keeper or judge.": '{name}の鍵は、サーバーの記録係かジャッジのものです。',
  'The link to this roll': 'このロールへのリンク',
  "The link's secret is not that of the table's {role} link: copy the link whole, or ask for a new one.":
    'リンクの秘密が、この卓の{role}用リンクのものではありません。リンクの全体をコピーするか、新しいものをもらってください。',
  'The log': 'ログ',
  'The log names a new key for {name}, signed by the recovery key of {name}. This page sees nobody who asks for it with a link of this table: it may be the server’s own doing. When {name} is back, it has no effect.':
    'ログには {name} の新しい鍵があり、{name} の復旧鍵が署名しています。このテーブルのリンクでそれを求めている人は、ここには見えません。サーバー自身のしわざかもしれません。{name} が戻れば、何も起こりません。',
  'The next roll waits again for the people it named, if they contribute.': 'そこで名指しされた人が寄与者なら、次のロールもまたその人を待ちます。',
  'The others are asked to let you go on as {name}: {names}. Talk to them without using this server, and leave this page open.':
    'あなたが {name} として続けてよいか、ほかの人に尋ねています: {names}。別の方法で連絡し、このページを開いたままにしてください。',
  'The others can go on without {names}, until {names} is back. The same roll is then owed, and its dice are new.':
    '{names}が戻るまで、ほかの人は{names}抜きで続けられます。同じロールがもう一度必要になり、その目は新しく出ます。',
  'The others go on without you. Your part in the dice begins again when you are back.':
    'ほかの人はあなた抜きで続けています。戻ると、また一緒にサイコロを決めます。',
  'The others see who you say you are. By this tap you agree to the terms, as you did before.':
    'あなたが誰だと言ったかは、ほかの人に見えます。このタップで、前と同じく条件に同意します。',
  'The passphrase is too short: it needs at least {least} characters. Somebody who gets the file can try passphrases as fast as their machines allow.':
    'パスフレーズが短すぎます。{least}文字以上にしてください。ファイルを手に入れた人は、機械の速さの許すかぎりパスフレーズを試せます。',
  'The person you take out cannot sit here again with the same key. With the link they can, under another key: make a new link too.':
    '外された人は同じ鍵では再び着席できません。リンクを持つ人は別の鍵で着席できます。新しいリンクも作ってください。',
  'The person you turn away cannot ask again with the same key. With the link they can, under another key.':
    '断られた人は、同じ鍵ではもう求められません。リンクがあれば、別の鍵で求められます。',
  'The players and the game master may roll behind a screen. Only the holder sees such dice, and chooses whether to show them. Nothing in the game depends on them. The log counts the rolls that are not shown.':
    'プレイヤーもゲームマスターも、ついたての陰で振ることができます。そのサイコロは秘密の持ち主だけのもので、見せることも見せないこともできます。ゲームの何もそれに左右されず、見せていないものはログが数えます。',
  'The roll itself shows that its dice are fair, whatever it came to. {command} says of the saved log how unusual its counts are (p-values, corrected for their number).':
    'サイコロが公正であることは、結果がどうであれ、各ロールそのものが示します。数がどれほど珍しいか(見た数で補正したp値)は、保存したログについて{command}が示します。',
  'The roll waits for {names}.': 'ロールは{names}を待っています。',
  'The rules are being loaded. Until they are here, results and offers are the server’s word.':
    'ルールを読み込んでいます。それまでは、結果と選択肢はサーバーの言葉です。',
  'The rules are not here yet: until they are, results and offers are the server’s word.':
    'ルールはまだ読み込まれていません。それまでは、結果と選択肢はサーバーの言葉です。',
  'The rules could not be used in this browser: {why}': 'このブラウザではルールを使えませんでした: {why}',
  'The rules ended with an error, and are started anew.': 'ルールがエラーで終わったため、起動し直しています。',
  'The rules gave no answer in this browser, and are started anew. Nothing was signed: try again in a moment.':
    'このブラウザでルールが応答しないため、起動し直しています。何も署名していません。少し待ってから、もう一度お試しください。',
  'The same: both have the same first {size} {size:event|events} of this game.':
    '同じです。このゲームの最初の{size}件のイベントは、どちらも同じです。',
  'The screen of {closer} says whether its part is given. There {closer} taps “Take no part in this roll”: then the answer stays true. If it is the phone of {closer} that is gone, its owner’s word counts.':
    '{closer}の画面に、もうこのロールに加わったかどうかが出ます。{closer}がそこで「このロールにはもう加わらない」をタップすれば、答えは変わりません。その電話自体がなくなったときは、{closer}の言葉で足ります。',
  'The secret of your seed chain cannot be opened in this browser. Commit to a new chain between rolls.':
    'あなたのシード・チェーンの秘密を、このブラウザでは開けません。ロールの合間に、新しいチェーンを確定してください。',
  'The secret of your seed chain is not in this browser. Open where the commitment was made, or commit to a new chain between rolls.':
    'あなたのシード・チェーンの秘密はこのブラウザにありません。確定したところで開示するか、ロールの合間に新しいチェーンを確定してください。',
  'The secret with number {number} is not in this browser, so you cannot show the roll that used it.':
    '{number}番の秘密はこのブラウザにありません。それを使ったロールは見せられません。',
  'The secrets of your secret rolls cannot be opened in this browser.': 'あなたの秘密のロールの秘密を、このブラウザでは開けません。',
  'The server and the rules disagree': 'サーバーの言うことがルールと異なります',
  'The server began another game than the one that was agreed to. {problem} Nothing was signed in it.':
    'サーバーは、同意されたものとは別のゲームを始めました。{problem} そこでは何も署名していません。',
  'The server closes it. Everybody keeps the whole log.': 'サーバーが終了します。ログ全体は全員の手元に残ります。',
  'The server forgets the lines, seats and links. Anybody who saved the log still has it.':
    'サーバーは行も席もリンクも忘れます。ログを保存した人はそれを持っています。',
  'The server gave a receipt for your opening, but does not pass the opening on. Show both to the judge, without using this server.':
    'サーバーはあなたの開示に受領証を出しましたが、それを他の人に渡していません。このサーバーを通さない方法で、両方をジャッジに見せてください。',
  'The server gave back no event for what was typed.': '入力されたものに対して、サーバーはイベントを返しませんでした。',
  'The server let {name} in by itself, without the agreement of {host}: the server may control {name}.':
    'サーバーが{host}の言葉なしに、単独で{name}を入れました。{name}はサーバー自身かもしれません。',
  'The server lost what you signed ({type}) before it was taken, and something else came first. Look at what has changed, and choose again.':
    'あなたが署名したもの({type})は、受け取られないうちにサーバーが失い、別のものが入りました。何が変わったかを見て、選び直してください。',
  'The server read the typed line as something else: {text}. It is not signed.':
    'サーバーは入力されたものを別のものにしました: {text}。これには署名しません。',
  'The server said something about this game that differs from its rules: nothing more is signed here. Save the evidence, and tell the others without using this server.':
    'サーバーは、このゲームについてルールと異なることを述べました。ここではもう何も署名しません。それを示すものを保存し、別の方法で他の人に伝えてください。',
  'The server says that it has {there} {there:event|events}, and sends {size}.':
    'サーバーは{there}個のイベントがあると言い、{size}個を送っています。',
  'The server says that it took event {seq}, and gives no checkpoint for it.':
    'サーバーはイベント{seq}を受け取ったと言いますが、そのチェックポイントを出していません。',
  'The server sent a line without its number.': 'サーバーが番号のない行を送りました。',
  'The server sent an event without end.': 'サーバーが終わりのないイベントを送りました。',
  'The server sent other rules than this page names: they are not used.':
    'サーバーが送ったルールは、このページが挙げるものと異なります。使いません。',
  "The server shows an opening by {me}'s key that {me} did not make in this browser. Either somebody else has the key and the seeds, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.":
    '{me}がこのブラウザで行っていない開示が、{me}の鍵で示されています。誰か他の人が鍵とシードを持っているか、このブラウザの記憶が失われました。このゲームではもう署名も開示もしません。別の方法で他の人とジャッジに伝えてください。',
  'The server shows another event {seq} than the one that was seen: the game was forked.':
    'サーバーは、前に見たものとは別のイベント{seq}を示しています。ゲームは履歴が分岐しています。',
  'The server shows another table than the one that the link is for.': 'サーバーは、このリンクのものとは別の卓を示しています。',
  'The server shows other dice than were rolled': 'サーバーの言うサイコロが、振られたものと違います',
  'The server shows {there} of the {size} {size:event|events} seen here, and refuses the missing ones.':
    'サーバーは、前に見た{size}個のイベントのうち{there}個を示し、欠けているものを受け取りません。',
  "The server's description of the table is malformed.": 'サーバーの示す卓が、あるべき形をしていません。',
  "The server's judge calls off a roll that has waited for {seconds} s. The operator of the server runs this judge too, and could call off a roll whose dice they do not like. The log counts and shows each.":
    'サーバーのジャッジは、{seconds}秒待ったロールを取りやめます。サーバーの運営者はこのジャッジも動かしているので、気に入らない目のロールを取りやめることもできます。ログはそのすべてを数えて示します。',
  "The server's receipt for your opening does not hold: it is worthless.": 'あなたの開示に対するサーバーの受領証は成り立たず、価値がありません。',
  'The short link, with names': '短いリンク (名前あり)',
  'The short link, without names': '短いリンク (名前なし)',
  "The signature of the start is not {host}'s, the host's.": '開始の署名が、主催者の{host}のものではありません。',
  "The signature of {name}'s seat is not {name}'s.": '{name}の席の署名が{name}のものではありません。',
  'The start was signed for another table.': '開始は別の卓のために署名されたものです。',
  'The story is a page to read and keep; the log is the proof.': '物語は読んで残すためのページで、証拠はログです。',
  'The table': '卓',
  'The table waits': '卓が待っているもの',
  'The table waits for nobody.': '卓は誰も待っていません。',
  'The table waits for {party}: {choice}.': '卓は{party}を待っています: {choice}。',
  "The table's signature is not {host}'s, the host's.": '卓の署名が、主催者の{host}のものではありません。',
  'Their page has to be open and online: then the dice come by themselves. Nobody can roll in their place.':
    'その人のページが開かれ、オンラインである必要があります。そうなればサイコロは自動的に届きます。代わりに振ることは誰にもできません。',
  Theirs: '相手のコード',
  'There are no rules {system} here.': 'ここに{system}というルールはありません。',
  'There is nothing for you to do at the moment.': '今あなたがすることはありません。',
  'This browser could not save what it must remember, so it sent nothing.': 'このブラウザの記憶を書き込めませんでした。何も送っていません。',
  'This browser does not have {size} {size:event|events} yet. Wait, or tell the others your code.':
    'ここにはまだ{size}件のイベントがありません。届くのを待つか、こちらのコードを相手に伝えてください。',
  'This browser has checked it itself: each signature, that each secret is the one that was fixed before, and that exactly these dice follow from them.':
    'このブラウザが自分で検証しました: 各署名、各秘密が前に確定したものであること、そこからちょうどこの出た目が導かれること。',
  'This browser has compared it with the table that you sat down at: it is the same.':
    'あなたが席に着いた卓と、このブラウザが比べました。同じものです。',
  'This browser has no seat at a table here. Open the link of your table, sit down, and try again.':
    'このブラウザには、ここのテーブルの席がありません。テーブルのリンクを開いて席に着き、もう一度試してください。',
  'This browser has not found these dice to be fair.': 'このブラウザは、この出た目が公正だとは認めていません。',
  'This browser holds the whole log. Whoever has the file can check every roll:':
    'このブラウザにログ全体があります。ファイルを持つ人は、すべてのロールを確かめられます:',
  'This browser is set to save data, so the rules were not loaded: results and offers are the server’s word.':
    'このブラウザはデータを節約しているため、ルールを読み込んでいません。結果と選択肢はサーバーの言葉です。',
  'This browser signs nothing more at this table: open the table itself, and read why.':
    'このブラウザは、このテーブルではもう何にも署名しません。テーブルそのものを開いて、理由を読んでください。',
  'This browser stops for good, and saves a file that only your passphrase opens. Take it on the other device, at the same link.':
    'このブラウザは完全に止まり、あなたのパスフレーズでだけ開くファイルを保存します。別の端末で、同じリンクからそれを使ってください。',
  'This device has given its part in this roll.': 'この端末はもうこのロールに加わりました。',
  'This device has not given its part in this roll.': 'この端末はまだこのロールに加わっていません。',
  'This device takes no part in this roll any more. You or a judge can call it off.':
    'この端末はもうこのロールに加わりません。あなたかジャッジが取りやめられます。',
  'This file is of a seat at another server, {server}, and cannot be taken here. Nothing was changed.':
    'このファイルは別のサーバー {server} の席のもので、ここでは使えません。何も変更していません。',
  'This game needs a game master, and nobody who sits here is one: ask {host} for that link.':
    'このゲームにはゲームマスターが必要ですが、席に着いている人の中にいません。{host}にそのリンクを頼んでください。',
  'This game needs a game master, and nobody who sits here is one: send somebody the link for the game master, below “Other links”.':
    'このゲームにはゲームマスターが必要ですが、席に着いている人の中にいません。「その他のリンク」にあるゲームマスター用のリンクを誰かに送ってください。',
  'This has changed meanwhile: look at it, and tap again.': 'イベントの内容が変わりました。見てから、もう一度押してください。',
  'This is an earlier roll. The latest one is of {author}, at {time}.': 'これは前のロールです。最新のロールは{author}のもので、{time}です。',
  'This is no file of a seat that moved.': 'これは移した席のファイルではありません。',
  'This is no text that a log can have.': 'これはログに入れられる文ではありません。',
  'This is not a code. A code has 30 digits; the number of events and a colon may stand before them.':
    'これはコードではありません。コードは30桁の数字で、その前にイベントの数とコロンを付けることも、付けないこともできます。',
  'This link is for spectators, who have no seat.': 'これは観戦者用のリンクで、席はありません。',
  'This log differs from the one that you saw, at event {seq} or before: it was forked.':
    'このログは、あなたが見たものと、イベント{seq}かそれより前で違っています。履歴が分岐しています。',
  'This page has failed: {problem}. Load it anew.': 'このページが失敗しました: {problem}。読み込み直してください。',
  'This page signs and sends nothing more in this game. Save the evidence now, tell the others without using this server, and show it to a judge: rollproof compare says who signed what.':
    'このページは、このゲームではもう何も署名せず、送りません。今すぐ証拠を保存し、このサーバーを通さない方法で他の人に伝え、ジャッジに見せてください。誰が何に署名したかはrollproof compareが示します。',
  'This phone plays for you when a judge has come to the table and let it in.': 'ジャッジが卓に来てこの電話を認めると、この電話でプレイできます。',
  'This screen': 'この画面',
  'This seat has stopped': 'この席は止まりました',
  'This seat was given no passphrase, and cannot be moved.': 'この席にはパスフレーズがなく、移せません。',
  'This seat was moved to another device': 'この席は別の端末に移されました',
  'This seat was moved to another device, and goes on there.': 'この席は別の端末に移され、そこで続きます。',
  'This stays void: no ruling makes it count again. To let a roll count after all, have the same roll made again, and correct the dice of the new roll to what these showed.':
    'これは無効のままです。どの裁定でも元には戻りません。ロールをやはり有効にするには、同じロールをやり直してもらい、新しいロールのダイスを、このダイスが示した目に訂正してください。',
  'This table has no link for the role {role}.': 'この卓に{role}用のリンクはありません。',
  'This table has started as game {known}, and the server shows game {game} now.':
    'この卓はゲーム{known}として始まりましたが、サーバーは今ゲーム{game}を示しています。',
  'This tap says that you agree to the new key.': 'このタップは、新しい鍵に同意すると伝えます。',
  'This tap says that {name} is away. When all others have said so, a second one agrees to the new key.':
    'このタップは、{name} が離席していると伝えます。ほかの全員がそう伝えると、二回目のタップで新しい鍵に同意します。',
  'This tap says that {name} is away: then the new browser goes on.':
    'このタップは、{name} が離席していると伝えます。そのあと新しいブラウザで続きます。',
  'This window is for a page of another site that rolls with you. No such page opened it.':
    'ほかのサイトのページが、あなたと振るために開くウィンドウです。いまは誰も開いていません。',
  'This window is too small to read what you would sign: make it larger.':
    'このウィンドウは、署名する内容を読むには小さすぎます。大きくしてください。',
  'This would be read. Tap to use it:': 'こう書けば読めます。タップで入力します:',
  'To do': '今すべきこと',
  'To have the server’s judge call off a roll that waits too long, open another table: there choose “Go on without them”.':
    '長く待ちすぎるロールをサーバーのジャッジに取りやめさせるには、別の卓を開いて「その人抜きで続ける」を選びます。',
  'Trust what was checked here. Results that the server computed from other dice are wrong.':
    'ここで検証したものに従ってください。サーバーが別のサイコロから計算した結果は誤りです。',
  'Try again': 'もう一度試す',
  'Turn this key away': 'この鍵を断る',
  'Turn {name} away': '{name}を断る',
  'Two ask for the place of {name}, so one of them is somebody else.': '{name}の席を二人が求めています。どちらかは別の人です。',
  'Until the rules were here, this page showed the server’s word. It signs nothing more until it is loaded anew. Trust what it shows now, save the evidence of the difference, and tell the others without using this server.':
    'ルールが読み込まれるまで、このページはサーバーの言葉を示していました。読み込み直すまで、もう何も署名しません。今示されていることに従い、違いを示すものを保存し、このサーバー以外の方法で他の人に伝えてください。',
  'Until they can, results and offers are the server’s word.': '使えるようになるまで、結果と選択肢はサーバーの言葉です。',
  Uphold: '支持',
  'Use this': 'これを使う',
  'Vibrate when dice come': 'サイコロが出たら振動する',
  Void: '無効',
  'Waits for the page that opened this window…': 'このウィンドウを開いたページを待っています…',
  'Waits for your own page to reach the server.': 'あなたのページがサーバーにつながるのを待っています。',
  'Waits for {names}': '{names}を待っています',
  'Waits for {names}, whose page has to prepare for the next roll.': '{names}を待っています。{names}のページが次のロールの準備をする必要があります。',
  'What for: everybody reads it': '何のため: 全員が読みます',
  'What for: only you read it, until you show it': '何のため: 見せるまで、あなただけが読みます',
  'What is agreed to': '同意する内容',
  'What is rolled here counts: digital dice, agreed to by everybody.': 'ここで振られた目は有効です: 全員が同意したデジタルのサイコロです。',
  'What is ruled': '裁定の種類',
  'What is signed': '署名される内容',
  'What kind': '種類',
  'What the dice came to, by the rules': 'ルールによる結果の求め方',
  'What the dice came to, by the rules (the server says so)': 'ルールによる結果(サーバーによる)',
  'What this roll is for is not known in this browser, so it cannot be shown.':
    'このロールが何のためか、このブラウザは知りません。ですから見せられません。',
  'What this roll is for is not known in this browser, so it could never be shown.':
    'このロールが何のためか、このブラウザは知りません。ですから決して見せられないことになります。',
  'What you can do is being asked for…': 'できることを尋ねています…',
  'What you signed ({type}) could not be sent before something else came first. Look at what has changed, and choose again.':
    'あなたが署名したもの({type})は、別のことが先に入ったため送れませんでした。何が変わったかを見て、選び直してください。',
  'What your secret roll was for cannot be opened in this browser.': 'あなたの秘密のロールが何のためだったかを、このブラウザでは開けません。',
  'When everybody who plays has agreed, {name} may rule and call rolls off. This tap says that you agree.':
    'プレイしている全員が同意すると、{name}は裁定し、ロールを取りやめられます。このタップで、あなたは同意します。',
  'When the game has begun, nobody can come in.': 'ゲームが始まった後は、誰も参加できません。',
  'When the game has begun, you can still let somebody in who asks by a link for: {roles}.':
    'ゲームが始まった後も、次の役割のリンクで参加を求めた人をあなたが入れられます: {roles}。',
  'When the game has begun, {host} can still let somebody in who asks by a link for: {roles}.':
    'ゲームが始まった後も、次の役割のリンクで参加を求めた人を{host}が入れられます: {roles}。',
  'Which table?': 'どのテーブルですか?',
  'While a roll waits, no ruling is possible.': 'ロールが待っているあいだは裁定できません。',
  'While you are seated this screen stays awake, where the browser allows it.': '席についている間、ブラウザが許せば、画面は消えません。',
  'Who can go on without {names}: {others}.': '{names}抜きで続けられる人：{others}。',
  'Who gave no part': '加わらなかった人',
  'Who is here': 'ここにいる人',
  'Who plays': 'プレイする人',
  'Who sees the dice': '目を見るのは',
  'Who sits here': '席に着いている人',
  Whose: '誰の',
  'Why this roll is fair': 'このロールが公正な理由',
  'With two at the table only the recovery key can do it. Without the profile’s file the table goes on in a new game.':
    '二人のテーブルでは、復旧鍵でしかできません。プロフィールのファイルがなければ、新しいゲームで続けてください。',
  'With two at the table only the recovery key can do it: {name} asks again with the profile’s file, or you go on in a new game.':
    '二人のテーブルでは、復旧鍵でしかできません。{name} がプロフィールのファイルでもう一度求めるか、新しいゲームで続けてください。',
  Yes: 'はい',
  'Yes, take it back': 'はい、取り消す',
  'You are about to go on as {name}.': 'まもなく {name} として続けます。',
  'You are away': '席を外しています',
  'You came later, and have no say in that before everybody who plays has agreed to it.':
    'あなたは後から来たので、プレイしている全員が同意するまで、これには加われません。',
  'You came later, and judge when everybody who plays has agreed to it. Still missing: {names}.':
    'あなたは後から来ました。プレイヤー全員が同意すると裁定できます。まだの人: {names}。',
  'You can close this window.': 'このウィンドウは閉じてかまいません。',
  'You can go on with a new key. Bring in the file of your profile, if you saved one: then nobody else has to agree.':
    '新しい鍵で続けられます。プロフィールのファイルを保存してあれば、読み込んでください。そうすれば、ほかの人の同意はいりません。',
  'You can judge here as soon as the server lets you in. It does so when no roll waits.':
    'サーバーがあなたを加えると、ここでジャッジできます。待っているロールがないときに加わります。',
  'You cannot take this back: the proof is in the link, and so are the names. Without a tick, the page does not show them.':
    '渡したものは取り戻せません。証明も名前もリンクの中にあります。印がなければページに名前は出ません。',
  'You contribute nothing to this roll.': 'あなたはこのロールに加わっていません。',
  'You do not sit here any more: {host} has taken you out, or so this server says. Ask {host} without using this server. You can sit down again, with another key.':
    'あなたの席はもうありません。{host}があなたを外したか、サーバーがそう言っています。別の方法で{host}に確かめてください。別の鍵でもう一度席に着くこともできます。',
  'You ended it.': 'あなたが終わらせました。',
  'You gave a receipt for the opening of {author}: a void that names {author} as missing would contradict it.':
    'あなたは{author}の開示に受領証を出しました。{author}を開示していない者として挙げる無効化は、それと矛盾します。',
  'You go on as {name} when these agree: {names}. Leave this page open.':
    '次の人が同意すると、{name} として続けられます: {names}。このページを開いたままにしてください。',
  'You go on without {name}': '{name}抜きで続けます',
  'You had not sat down at this table before the roll was asked for, so you cannot call it off.':
    'このロールが求められたとき、あなたはまだこの卓に着いていなかったので、取りやめることはできません。',
  'You have a seat here already, as {name}.': 'あなたは既に{name}として席に着いています。',
  'You have called this roll off, and give no receipt for it.': 'あなたはこのロールを取りやめたので、受領証を出しません。',
  'You have called this roll off, and open nothing for it.': 'あなたはこのロールを取りやめたので、開示しません。',
  'You have left this game. You can look on, and save its log.': 'あなたはこのゲームを抜けました。見学とログの保存はできます。',
  'You have no seat in this game.': 'あなたはこのゲームに席がありません。',
  'You have opened for this roll, and cannot call it off any more: the keeper may know the dice.':
    'あなたはこのロールに開示したので、もう取りやめられません。記録係は出た目を知っているかもしれません。',
  'You have said that {name} is away. It takes effect when all others have said so, and the server has not heard from {name} for 15 seconds.':
    '{name} が離席していると伝えました。ほかの全員もそう伝え、サーバーが 15 秒間 {name} から何も受け取らなければ、効力をもちます。',
  'You have seen {seen} {seen:event|events} of this game, and {size} {size:is|are} here: the end is missing. Nothing is signed until it is back.':
    'あなたはこのゲームのイベントを{seen}個見ましたが、ここには{size}個しかありません。終わりが欠けています。戻るまで何も署名しません。',
  'You hold a receipt of {keeper}, the keeper, for another history of the first {size} {size:event|events}: the game was forked.':
    'あなたの持つ記録係{keeper}の受領証は、最初の{size}件のイベントのうちで、このゲームの別の歴史についてのものです。履歴が分岐しています。',
  'You look on. The game begins when {host} starts it.': '観戦しています。{host}が始めるとゲームが始まります。',
  'You look on: this link has no seat. Everything is checked here all the same.':
    '観戦しています。このリンクに席はありません。それでも、すべてここで検証されます。',
  'You look on: you have no seat in this game, in this browser. Everything is checked here all the same.':
    '観戦しています。このブラウザでは、このゲームに席がありません。それでも、すべてここで検証されます。',
  'You opened link {index} for another request, and never open it twice: somebody shows two histories of this game.':
    'あなたはリンク{index}を別の要求のために開示しており、二度は開示しません。誰かがこのゲームの二つの歴史を示しています。',
  'You opened link {opened} for this request, so you never open link {index} for it: this log is not the one that you saw.':
    'あなたはこの要求のためにリンク{opened}を開示しており、リンク{index}を開示することはありません。ログが、あなたの見たものと違います。',
  'You sign that these gave no part: {names}.': '署名では、加わらなかった人として{names}を挙げます。',
  'You sit here. {host} starts the game; leave this page open.': '席に着きました。{host}がゲームを始めます。このページを開いたままにしてください。',
  'You still owe a roll that was called off: {roll}. Every report of this game will say that you left without making it again.':
    '取りやめになったロールがまだ残っています: {roll}。やり直さずに抜けると、そのことがこのゲームのどの報告にも載ります。',
  'Your part comes when {names} have given theirs; until then the dice wait.': 'あなたの分は、{names}の分の後に出ます。それまでサイコロは待ちます。',
  'Your part is not given yet, so nobody can know the dice. What everybody had ready for it is used up, and you owe the same roll.':
    'あなたの分はまだ出ていないので、サイコロは誰にもわかりません。皆が用意した分は使い切りとなり、あなたは同じロールを行うことになります。',
  'Your part was sent: the server has not handed it on yet.': 'あなたの分は送信済みです。サーバーがまだ他の人に渡していません。',
  'Your recovery key says that you are {name}. You go on as soon as the others say that your old browser is away. Leave this page open.':
    '復旧鍵が、あなたは {name} だと言っています。ほかの人が古いブラウザを離席にしたら、続けられます。このページを開いたままにしてください。',
  'Your seat has said that it checks the rules before it signs, and they are not here at the moment. Nothing was signed.':
    'あなたの席は、署名の前にルールを検証すると宣言しましたが、今はルールがここにありません。何も署名していません。',
  'Your seed chain came from another device, and is opened for no roll here: you commit to a new one between rolls.':
    'あなたのシード・チェーンは別の端末から来たもので、ここではどのロールにも開示しません。ロールの合間に新しいものを確定します。',
  'Your seed chain has links for more rolls: a new one comes when there is none left.':
    'あなたのシード・チェーンには、まだロールのためのリンクがあります。なくなったら新しいものにします。',
  'a penalty': '懲罰',
  'agree to the terms': '条件に同意',
  'and {count} more': '他{count}個',
  'apply effects, or do without them': '効果を適用するか、しないか',
  'asked for by {author}': '求めたのは{author}',
  'average {seen}, to be expected {expected}': '平均{seen}、期待値{expected}',
  'away, back, leave': '席を外す、戻る、離れる',
  'being read…': '読み取っています…',
  'being signed and sent…': '署名して送っています…',
  blank: '空白',
  'cannot be read yet': 'まだ読み取れません',
  'changes nothing: this die does not count': '何も変わりません: このダイスは数えません',
  chaos: 'カオス',
  'choose the dice to ignore': '無視するサイコロを選ぶ',
  connected: '接続済み',
  'connecting…': '接続しています…',
  corrected: '訂正',
  'counts as': '次の値として数える:',
  'die {die}: {natural} → {result}': 'ダイス{die}: {natural} → {result}',
  'die {die}: {natural} → {result}, still does not count': 'ダイス{die}: {natural} → {result}、数えないまま',
  'die {number} shows {face}': '{number}番は{face}',
  'die {number}: {face}': 'サイコロ{number}: {face}',
  'does not count': '数えない',
  'double down, or not': 'ダブル・ダウンするか、しないか',
  face: '目',
  fair: '公正',
  'first type what to roll': '先に何を振るか入れてください',
  'first: {what}': '先に: {what}',
  'for a camera': 'カメラ用',
  'give the mortal wounds to models': 'モータルウーンドを兵に割り当てる',
  'has left': '離脱',
  'has not agreed yet': 'まだ同意していない',
  'have dice rolled again, or leave the dice as they are': 'サイコロを振り直させるか、そのままにするか',
  heads: '表',
  here: 'いる',
  'judge, spectators, a new link': 'ジャッジ、観客、新しいリンク',
  'keep first results, or end the roll': '最初の出目を残すか、ロールを終えるか',
  'keeps the log': 'ログを記録',
  'natural {number}': 'ナチュラル{number}',
  'new key: {names}': '新しい鍵: {names}',
  'no connection, trying again': '接続なし、再試行中',
  none: 'なし',
  'not at the table': '卓に来ていない',
  'not connected': '未接続',
  'not found fair ✗': '公正と確認できず ✗',
  'not shown': '見せていない',
  'on the page that checks logs': 'ログを確かめるページで、',
  'only me': '自分だけ',
  'only {name}': '{name}だけ',
  'or, with code that this server never touched, by the program': 'または、このサーバーが触れていないコードで、次のプログラムで:',
  planeswalk: 'プレインズウォーク',
  rerolled: '振り直し',
  'roll again, or not': '振り直すか、しないか',
  'roll dice again': 'サイコロを振り直す',
  'roll dice again, or go on': 'サイコロを振り直すか、先へ進むか',
  'roll how many further hits': '追加のヒット数を振る',
  'roll the Strength': '攻撃力を振る',
  'roll the damage': 'ダメージを振る',
  'roll the mortal wounds': 'モータルウーンドの数を振る',
  'roll the move': '移動力を振る',
  'roll the saves': 'セーヴを振る',
  'roll to hit': 'ヒット・ロール',
  'roll to wound': 'ウーンド・ロールをする',
  'rolls…': 'が振っています…',
  'say what you give': '何を加えるかを決める',
  'say who rolls': '誰が振るかを決める',
  seen: '実際',
  'sending to {server}…': '{server}へ送信中…',
  'sound, vibration': '音、振動',
  stopped: '停止',
  success: '成功',
  tails: '裏',
  'the call “{source}”': '呼びかけ「{source}」',
  'the server’s': 'サーバーのもの',
  'the {faces}': '{faces}',
  'to be expected': '期待値',
  total: '合計',
  upheld: '支持',
  void: '無効',
  'waits for {names}': '{names}を待っています',
  what: '内容',
  'what a typed line says': '入力した行の意味',
  'what it comes to is being asked for': '結果を尋ねています',
  'what the rolls came to, or how the game stands': 'ロールの結果、またはゲームの状況',
  'what you can do': 'あなたができること',
  'why a roll came to what it came to': 'ロールの結果の理由',
  'without {names}': '{names}抜き',
  '{author} asked for the dice. {keeper}, the server, signed that request, so it could not be changed or exchanged any more.':
    '{author}がサイコロを求めました。サーバーの{keeper}がその要求に署名したので、もう変えることも取り替えることもできません。',
  '{author} corrected what you did. The reason: {reason}': '{author}があなたのしたことを訂正しました。理由: {reason}',
  '{author} dated event {seq} {time}, but the clock here says {clock}: one of the two is wrong. Nothing is signed after it until they agree.':
    '{author}はイベント{seq}の日時を{time}としましたが、ここの時計は{clock}です。どちらかが誤っています。合うまで、その上に何も署名しません。',
  '{author} gave you a penalty. The reason: {reason}': '{author}があなたに懲罰を与えました。理由: {reason}',
  '{author} leaves your opening for this roll out, although {author} gave you a receipt for it: show both to the judge.':
    '{author}は、このロールへのあなたの開示を省きましたが、その受領証をあなたに渡しています。両方をジャッジに見せてください。',
  '{author} rolled blind ({purpose}): {holder} alone sees the dice':
    '{author}がブラインド・ロールをしました({purpose})。目を見るのは{holder}だけです',
  '{author} rolled blind: {holder} alone sees the dice': '{author}がブラインド・ロールをしました。目を見るのは{holder}だけです',
  '{author} rolls.': '{author}がロールしています。',
  '{author} ruled once more on what you did. The reason: {reason}': '{author}が、あなたのしたことをもう一度裁定しました。理由: {reason}',
  '{author} ruled void what you did. The reason: {reason}': '{author}があなたのしたことを無効と裁定しました。理由: {reason}',
  '{author} says that you did not open for this roll. You did: show the opening and its receipts to the judge.':
    '{author}は、あなたがこのロールに開示しなかったと言っています。あなたは開示しました。開示とその受領証をジャッジに見せてください。',
  '{author} signed you away.': '{author}があなたを離席としました。',
  '{author} took you out of the game.': '{author}があなたをゲームから外しました。',
  '{author} {result}. {dice}. {purpose}.': '{author} {result}。{dice}。{purpose}。',
  '{author}, {purpose}.': '{author}、{purpose}。',
  '{author}: {dice}. {purpose}.': '{author}: {dice}。{purpose}。',
  '{author}: {purpose}': '{author}: {purpose}',
  '{author}: {what}': '{author}: {what}',
  '{closer} can too, on the own screen, as long as {closer} has not given a part in the roll. Otherwise the table goes on in a new game; at an event the desk corrects the pairing of this table.':
    '{closer}も、このロールにまだ加わっていなければ、自分の画面で取りやめられます。そうでなければ、卓は新しいゲームで続けます。イベントでは、受付がこの卓の組み合わせを訂正します。',
  '{closer} gives the last part in this roll. Ask {closer} in person, and not through this server: “Has your phone given its part?” Call the roll off only when {closer} says: “No, and it will not any more.” If it has, the server may know the dice already.':
    'このロールに最後に加わるのは{closer}です。このサーバーを通さず、{closer}に直接尋ねてください:「あなたの電話はもうこのロールに加わりましたか」。{closer}が「いいえ。もう加わりません」と言ったときだけ取りやめます。加わっていれば、サーバーはもうサイコロを知っているかもしれません。',
  '{closer} has told me so, by another way': '{closer}が別の方法で私にそう伝えた',
  '{closer} opens last before the keeper: a judge asks {closer}.': '記録係の前に最後に開示するのは{closer}です。ジャッジは{closer}に尋ねます。',
  '{count} more': 'ほか{count}件',
  '{count} {count:die|dice}': 'サイコロ{count}個',
  '{count} {count:die|dice}: {face}': 'サイコロ{count}個: {face}',
  '{count} {count:way|ways}': '{count}通り',
  '{dice} for {purpose}: {came}': '{dice} ({purpose}): {came}',
  '{dice} for {source}': '{source}の{dice}',
  '{dice}: {came}': '{dice}: {came}',
  '{holder} rolled behind the screen': '{holder}がついたての陰で振りました',
  '{holder} {count}, of which {shown} shown': '{holder}が{count}回、うち見せたのは{shown}回',
  '{host} has made a new link in the place of this one: ask for it.':
    '{host}がこのリンクに代わる新しいリンクを作りました。新しいリンクを尋ねてください。',
  '{host} has started the game': '{host}がゲームを始めました',
  '{host} has turned you away, or so this server says. Ask {host} without using this server.':
    'このサーバーによると、{host}があなたを断りました。別の方法で{host}に尋ねてください。',
  '{host} is asked to let you in, {name}. Leave this page open: you are in the next roll from then on.':
    '{name}の参加を{host}に求めています。このページを開いたままにしてください。認められると、次のロールから加わります。',
  '{judge} ruled ({ruling}): {text}': '{judge}の裁定({ruling}): {text}',
  '{keeper} keeps the log: this server. It orders the events, and can neither choose nor predict dice.':
    '{keeper}、つまりこのサーバーがログを記録します。イベントの順序を決めますが、サイコロの目を選ぶことも予測することもできません。',
  '{kind} ({what})': '{kind}({what})',
  '{member} is not what was agreed to.': '{member}が、同意されたものと違います。',
  '{me} has another key in this game: this seat is not a party of it.': 'このゲームでの{me}の鍵は別のものです。この席はその参加者ではありません。',
  '{names} agreed. Still missing: {others}.': '同意済み: {names}。未回答: {others}。',
  '{names} did not open': '{names}が開示していません',
  '{names} had a part in these dice with a new key, which others let into the game. No key proves that it is the same person, so the dice count in no luck and no season.':
    '{names}は、ほかの人が認めた新しい鍵でこのダイスに関わりました。同じ人だと証明する鍵はないので、このダイスは運にもシーズンにも数えません。',
  '{names} had been signed away by somebody else, and had no part in these dice. Until {waiting} accepts them they count in no luck and no season.':
    '{names}は他の人によって離席とされ、このサイコロに関わっていません。{waiting}が承認するまで、運の統計にもシーズンにも数えません。',
  '{names} had been signed away by somebody else, and has accepted this roll since.':
    '{names}は他の人によって離席とされていましたが、その後このロールを承認しました。',
  '{names} left the game.': '{names}がゲームを抜けました。',
  '{names} took it back: nothing comes of it.': '{names}がこれを取り消しました。このロールからは何も起こりません。',
  '{names} would take it back. Waits for {missing}.': '{names}が取り消しを求めています。{missing}を待っています。',
  '{name} asks to come in, as {role}.': '{name}が{role}として参加を求めています。',
  '{name} asks to come in.': '{name}が参加を求めています。',
  '{name} came later, and rolls like everybody. When everybody who plays has agreed, {name} also has a say in who is signed away.':
    '{name}は後から来て、みんなと同じようにロールします。プレイしている全員が同意すると、誰を離席とするかにも加わります。',
  '{name} came later, as judge. When everybody who plays has agreed, {name} may rule and call rolls off; until then nothing.':
    '{name}は後からジャッジとして来ました。プレイしている全員が同意すると、裁定し、ロールを取りやめられます。それまでは何もできません。',
  '{name} does not have the link for the role {role}: the invitation does not hold.':
    '{name}は{role}用のリンクを持っていません。招待が成り立ちません。',
  '{name} goes on as soon as the new browser is there.': '新しいブラウザがつながりしだい、{name} は続けます。',
  '{name} goes on under a new key, and only the whole log shows by whose word.':
    '{name}は新しい鍵で続けており、誰の言葉によるかはログ全体だけが示します。',
  '{name} goes on under a new key, by the recovery key.': '{name} は、復旧鍵の言葉により新しい鍵で続けています。',
  '{name} goes on under a new key, by the word of {names}: it may be somebody else.':
    '{name} は、{names} の言葉により新しい鍵で続けています。別人かもしれません。',
  '{name} goes on under another key. This browser has no part in this game any more. If the other one is not you, save the log, and tell the others without using this server.':
    '{name} は別の鍵で続けています。このブラウザは、もうこのゲームに加わっていません。別の鍵があなたのものでなければ、ログを保存し、別の方法でほかの人に知らせてください。',
  '{name} has a new browser?': '{name} は新しいブラウザですか?',
  '{name} has a seat here already, as {role}.': '{name}は既に{role}として席に着いています。',
  '{name} has another name at its seat.': '{name}の呼び名が席でのものと違います。',
  '{name} has no seat as {role}.': '{name}は{role}としての席がありません。',
  '{name} has published this roll under a short link.': '{name}がこのロールを短いリンクで公開しました。',
  '{name} is in the next roll. When everybody who plays has agreed, {name} also has a say in who is signed away. This tap says that you agree.':
    '{name}は次のロールから加わります。プレイしている全員が同意すると、誰を離席とするかにも加わります。このタップで、あなたは同意します。',
  '{name} is not away, and by the terms of this table the others cannot say so: it waits until {name} or a judge does.':
    '{name} は離席していません。このテーブルの条件では、ほかの人が離席にすることはできません。{name} か審判がそうするまで待ちます。',
  "{name} is the name of the server's keeper or judge: choose another.": '{name}はサーバーの記録係かジャッジの名前です。別の名前を選んでください。',
  '{name} looks like {other}, but is somebody else: ask who that is, without using this server.':
    '{name}は{other}に似ていますが、別の人です。誰なのかを別の方法で確かめてください。',
  '{name} still owes a roll that was called off: {roll}. Every report of this game will say that {name} left without making it again.':
    '{name}には、取りやめになったロールがまだ残っています: {roll}。やり直さずに抜けると、そのことがこのゲームのどの報告にも載ります。',
  '{name} {value}': '{name} {value}',
  "{name}'s seat is one at another table.": '{name}の席は別の卓のものです。',
  '{natural} (does not count)': '{natural}(数えない)',
  '{natural} (rerolled)': '{natural}(振り直し)',
  '{origin} asks you to sign:': '{origin} があなたに署名を求めています:',
  '{origin} would like to roll with you': '{origin} があなたと振ろうとしています',
  '{party} is away': '{party}は席を外しています',
  '{party} is not connected': '{party}は接続していません',
  '{player}, d{sides}': '{player}、d{sides}',
  '{what}: the server says {told}; checked here: {checked}.': '{what}: サーバーによれば{told}。ここで検証したもの: {checked}。',
  '{what}: {value}.': '{what}: {value}。',
};
