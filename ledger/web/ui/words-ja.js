/**
 * The Japanese of what the first page shows: made by `python -m tests.make.words` (specs/languages.md).
 * @module
 */

/** @type {{[text: string]: string}} */
export const JAPANESE = {
  '(at least {least} characters)': '({least}文字以上)',
  '(may be left out)': '(省略可)',
  '(may be left out: {value})': '(省略可: {value})',
  '(may be left out; else at least {least} characters)': '(省略可。入力するなら{least}文字以上)',
  'A key of its own for this table': 'この卓だけの鍵',
  'A roll that somebody stopped before anybody could know the dice. The same roll is still owed, with new dice. The log shows this.':
    'サイコロがわかる前に誰かが終わらせたロール。同じロールを新しいサイコロで行うことになり、ログに残ります。',
  'A roll waits for 1 to {most} seconds before the server’s judge calls it off.':
    'サーバーのジャッジが取りやめるまでにロールが待つのは、1秒から{most}秒です。',
  'A roll waits, however long, and nobody gains a second roll by waiting. The person who rolls can call it off before giving their own part. A judge among you can too. Otherwise the game ends there.':
    'ロールはいつまでも待ち、そのことで誰かが振り直せることはありません。ロールした人は自分の分を出す前に取りやめられ、皆さんの中のジャッジも取りやめられます。できなければ、ゲームはそこで終わります。',
  'A table is a link. Each player’s browser has a part in every roll, and checks it: nobody can choose or predict the dice, this server neither.':
    '卓は1つのリンクです。各プレイヤーのブラウザがすべてのロールに加わり、それを検証します。サイコロの目は誰にも選べず、予測もできません。このサーバーにもできません。',
  'About this page': 'このページについて',
  'After a mis-tap all who play can take the latest roll back together': '押し間違えたとき、プレイしている全員で最後のロールを取り消せる',
  'After that, you sit down as the person in the file. You no longer sit down as {name}: that key ends here.':
    '以後はファイルの人として席に着き、{name}の鍵はここで終わります。',
  'An address with a secret in it. Anybody who has it can sit down, or look on. Send it only to the people it is for.':
    '秘密を含むアドレス。持っている人は着席したり観戦したりできます。渡す相手だけに送ってください。',
  'Another seat was taken at this table in this browser, as {name}.': 'このブラウザでは、この卓で別の席に{name}として着いています。',
  'Before the roll, each browser has fixed a secret. All secrets together make the dice, so nobody can choose or predict them alone.':
    'サイコロの前に、各ブラウザが秘密を確定しています。全員の秘密を合わせたものがサイコロになるので、1人では選ぶことも予測することもできません。',
  'Bring in the file that you saved. This browser gets a new key, and can show that it is yours. If a game is still going on, ask for your place at its table.':
    '保存したファイルを読み込んでください。このブラウザは新しい鍵をもち、それがあなたのものだと示せます。進行中のゲームでは、そのテーブルで自分の席を求めてください。',
  'Calls for rolls and says how difficult they are.': 'ロールを呼びかけ、難易度を決めます。',
  'Choose one of these, and then open the table.': 'どちらかを選んでから、卓を開いてください。',
  'Choose one. Go on: the server could have a roll made again. Wait: one of you can stop the game by staying away.':
    'どちらか選んでください。続ける場合：サーバーがロールを振り直させることもできます。待つ場合：1人が来なければゲームは止まります。',
  'Choose the file first.': '先にファイルを選んでください。',
  Close: '閉じる',
  'Closed games stay here for {count} {count:day|days}.': '終わったゲームは{count}日間ここに残ります。',
  Copied: 'コピーしました',
  Copy: 'コピー',
  'Copy: {what}': 'コピー: {what}',
  'Dice that everybody can check': '誰でも検証できるサイコロ',
  'Dice that somebody asked for, and what became of them.': '誰かが求めたサイコロと、その結果。',
  'Digits to compare without using this server, for example aloud. People with the same digits see the same log.':
    'このサーバーを使わずに、たとえば声に出して比べる数字です。数字が同じ人どうしは、同じログを見ています。',
  'Everybody: one honest player is enough for fair dice. Each page has to be open.':
    '全員: 正直なプレイヤーが1人いればサイコロは公正です。全員がページを開いている必要があります。',
  'Everything that happened, in order, signed by who did it. Nothing in it can be changed unnoticed. Everybody has the whole log.':
    '起きたことのすべて。順に並び、行った人が署名しています。気づかれずに変えることはできません。全員が全体を持っています。',
  'Games stay here until their host deletes them.': 'ゲームは、主催者が削除するまでここに残ります。',
  'Go on without them': 'その人抜きで続ける',
  'I have a seat on another device': '別の端末に席がある',
  'If somebody’s phone dies?': '誰かのスマホの電源が切れたら?',
  'If you leave this empty, you are called {text}.': '空欄のままなら、呼び名は{text}になります。',
  'In doubt?': '疑わしいとき',
  'It is the same file each time, and opens with the passphrase that you chose.': '何度保存しても同じファイルで、前に決めたパスフレーズで開きます。',
  'Its host had it deleted from the server. Anybody who saved the log still has it.':
    '主催者がサーバーから削除しました。ログを保存した人はそれを持っています。',
  'Its passphrase': 'そのパスフレーズ',
  'Keep it safe': '控えを取っておく',
  'Keeps the log and hands it on. It cannot choose or predict dice.': 'ログを保管し、皆に渡します。サイコロを選ぶことも予測することもできません。',
  'Licences of what the rules run on': 'ルールの実行に使うもののライセンス',
  'Links for': 'リンクを作る相手',
  'May rule on what happened, and give dice another result. Each ruling stands in the log, with the judge’s name.':
    '起きたことを裁定し、サイコロの結果を改めることができます。裁定はすべて、ジャッジの名とともにログに残ります。',
  More: 'さらに',
  'My seat': '自分の席',
  'Name at least one person, besides the server, who has a part in each roll.': 'サーバーのほかに、各ロールに加わる人を少なくとも1人挙げてください。',
  'Nobody yet. You get a key when you first sit down at a table.': 'まだ誰でもありません。初めてテーブルに着くと、鍵が作られます。',
  'None of these games has begun.': 'まだどのゲームも始まっていません。',
  'Nothing was signed. Save the evidence, and tell the others without using this server.':
    '何も署名していません。それを示すものを保存し、このサーバーを通さない方法で他の人に伝えてください。',
  'On the other device choose “Move this seat”, and bring the file that it saves here. From then on the seat is here, and nowhere else.':
    '別の端末で「この席を移す」を選び、保存されたファイルをここに持ってきてください。それ以後、席はここだけにあります。',
  'Once the rules are loaded, this page works out what dice mean, what can be done, and how a typed line is read. It then signs nothing that the rules refuse. Until then it shows the server’s word, and marks it as such. The rules are the same program as {command}, not a second opinion.':
    'サイコロの意味、できること、入力した行の読み方は、ルールが読み込まれれば、ここでルール自身が求めます。その後は、ルールが認めないものには署名しません。それまではサーバーの言葉であり、そう表示します。ルールは{command}と同じプログラムであり、別の見解ではありません。',
  'One game with the people who sit at it. Its link opens it.': '1つのゲームと、そこに着いている人たち。リンクで開きます。',
  'Only the game master sees such dice until they are shown. Nothing in the game depends on them. The log counts the rolls that are not shown.':
    'そのサイコロは、見せるまでゲームマスターだけのものです。ゲームの何もそれに左右されず、見せていないものはログが数えます。',
  'Open a table': '卓を開く',
  'Open the table': '卓を開く',
  'Open the table and sit down': '卓を開いて席に着く',
  Options: 'オプション',
  Passphrase: 'パスフレーズ',
  'Save all logs (zip)': 'すべてのログを保存(zip)',
  'Save the evidence': '証拠を保存',
  'Save the file': 'ファイルを保存',
  'Save the file again': 'ファイルをもう一度保存',
  'Save the succession': '引き継ぎを保存',
  'Saved. Keep the file where you still have it if you lose this device.': '保存しました。この端末をなくしても残る場所に保管してください。',
  'Seconds that a roll waits before the server’s judge calls it off': 'サーバーのジャッジが取りやめるまでにロールが待つ秒数',
  'Sees and checks everything, and has no part in the dice.': 'すべてを見て検証し、サイコロには加わりません。',
  Share: '共有',
  'Share: {what}': '共有: {what}',
  'Somebody else at this table has the name of your key, {name}. You get a separate key for this table.':
    'あなたの鍵の名前 {name} を、ここでは別の人が使っています。この卓だけの鍵になります。',
  'Somebody who has no part in the dice until they are back, so that the others need not wait. A judge can sign away a person who is not connected. If the terms say so, all others together can do it too.':
    '戻るまでサイコロに加わらない人。ほかの人が待たずに済みます。接続していない人は離席にできます。ジャッジが、条件にあればほかの全員が一致して行います。',
  'Something else came first. Look at what has changed, and choose again.': '別のことが先に入りました。何が変わったかを見て、選び直してください。',
  'Something here is not as it was signed': '署名されたとおりでないものがあります',
  'Table without a title': '題のない卓',
  'Tables of this browser': 'このブラウザの卓',
  'Take the seat here': '席をここに移す',
  'The answer of the server does not follow the protocol.': 'サーバーの答えは、このプロトコルのものではありません。',
  'The changes of key in this profile do not hold.': 'このプロフィールが今の鍵になった経緯の署名が合いません。',
  'The code of this page comes from the server, so a cheating server could send a cheating page. A page cannot find this out by itself. Compare its hash with the one that {command} prints at the end of its lines on a machine that you trust. Check the saved log there too.':
    'このページのコードはサーバーから来るので、不正なサーバーは不正なページを送ることができ、どのページも自分ではそれを言えません。確かめるには、信頼できる機械で{command}が最後に表示するハッシュとこのページのハッシュを比べ、保存したログもそこで検証してください。',
  'The dice are checked here. The server says what they come to by the rules; “rollproof verify” checks that too.':
    'サイコロはここで検証済みです。ルールによる結果はサーバーの言うことです。「rollproof verify」はそれも検証します。',
  'The file': 'ファイル',
  'The file makes you a new key when this one is lost, and shows that it is yours. It signs in no game. Keep it elsewhere.':
    'この鍵をなくしたとき、ファイルから新しい鍵を作り、それがあなたのものだと示せます。ゲームの署名はできません。別の場所に保管してください。',
  'The game': 'ゲーム',
  'The game is being fetched and checked…': 'ゲームを取得し、検証しています…',
  'The game master may roll behind a screen': 'ゲームマスターはついたての陰で振ってよい',
  'The key of this file has not named its recovery key.': 'このファイルの鍵は、その復旧鍵を指定していません。',
  'The logs do not show that I also play at other tables': 'ログを見ても、ほかの卓の私とはわからない',
  'The manifest of this page:': 'このページの一覧のハッシュ:',
  'The names under which they will sit down. Add yours if you have a part. {keeper}, the server, has a part without being named. The game can start when all of them are seated.':
    '着席するときの名前を書きます。あなたが加わるなら、あなたの名前も。サーバーの{keeper}は、書かなくても加わります。全員が着席すると、ゲームを始められます。',
  'The part of the link after # is missing or damaged. Ask the sender for the whole link.':
    '#より後ろがないか、壊れています。送ってくれた人に、リンク全体を送り直してもらってください。',
  'The passphrase does not open this file, or the file was changed.': 'パスフレーズでこのファイルを開けないか、ファイルが変更されています。',
  'The person who rolls, and the server: for large tables of friends. The others’ pages need not be open.':
    '振る人とサーバー。友人どうしの大きな卓向けです。ほかの人のページは開いていなくてもかまいません。',
  'The server cannot be reached.': 'サーバーに届きません。',
  'The server did not answer for {names}: the logs in this browser may lack their latest events.':
    '{names}についてサーバーが答えませんでした。このブラウザにある分がすべてではないかもしれません。',
  'The server does not answer. The tables below are as this browser holds them; what was to be sent waits, and a new table needs the server.':
    'サーバーが応答しません。下の卓はこのブラウザが持っているものです。送信すべきものは待っています。新しい卓にはサーバーが必要です。',
  'The server posts each result, with names and what it was for, to {place}.':
    'サーバーは結果を、名前と何のためのロールかとともに、すべて{place}に投稿します。',
  'The server took the table under another id: it is not the one that was opened.': 'サーバーは卓を別のIDで受け取りました。開いた卓ではありません。',
  'The server’s judge calls off a roll that has waited too long, and those who are there go on. Somebody who comes back is back with one tap. The operator of the server runs its judge too, and could call off a roll whose dice they do not like. The log counts and shows each.':
    '長く待ちすぎたロールを、サーバーのジャッジが取りやめます。残った人は続け、戻った人はワンタップで戻れます。サーバーの運営者はそのジャッジも動かしているので、気に入らない目のロールを取りやめさせることもできます。ログはそのすべてを数えて示します。',
  'The table is being opened…': '卓を開いています…',
  'Their names, with commas': 'その人たちの名前(コンマで区切る)',
  'There is no profile in this browser yet: take a seat first.': 'このブラウザにはまだプロフィールがありません。先に席に着いてください。',
  'This browser cannot keep a key that signs: you can look on, but you cannot take a seat. Use a current browser, over https, and not in a private window.':
    'このブラウザは署名の鍵を保存できません。観戦はできますが、席には着けません。最新のブラウザで、httpsで、プライベートウィンドウでなく開けばできます。',
  'This browser could not save what it must remember ({problem}), so it did not send what came after. Make room on this device, or leave the private window. The browser tries again by itself.':
    '覚えておくべきことをこのブラウザが保存しませんでした({problem})。そのとき送るはずだったものは送っていません。この端末の空きを増やすか、プライベートウィンドウを使うのをやめてください。保存は自動でもう一度試みます。',
  'This browser has checked it: every secret was fixed before the roll, and exactly these dice follow from them.':
    'このブラウザが検証しました。どの秘密もロールの前に確定していて、そこからちょうどこのサイコロが導かれます。',
  'This browser has not promised to keep what is stored here. If it is cleared, the seat ends.':
    'このブラウザは、ここに保存したものを残すとは約束していません。消去されると、席は終わります。',
  'This browser knows that table: go on there': 'このブラウザはその卓を知っています: そこで続ける',
  'This file holds another recovery key than it says.': 'このファイルには、書かれているものとは別の復旧鍵が入っています。',
  'This file is of a profile at another server, {server}, and cannot be used here. Nothing was changed.':
    'このファイルは別のサーバー {server} のプロフィールのもので、ここでは使えません。何も変わっていません。',
  'This file is of a seat at another table.': 'このファイルは別の卓の席のものです。',
  'This file was brought in here before: a file is used once. Save a new one for the key that you have now.':
    'このファイルはここで一度読み込まれています。ファイルは一度しか使えません。今の鍵のファイルを新しく保存してください。',
  'This game needs a game master: somebody has to sit down by the link for one before you start.':
    'このゲームにはゲームマスターが必要です。始める前に、誰かがゲームマスター用のリンクで席に着かなければなりません。',
  'This game needs a game master: you are it.': 'このゲームにはゲームマスターが必要です。あなたがその役です。',
  'This is me': 'これは私です',
  'This is me on a new phone': '新しいスマホの私です',
  'This is no file of a profile, or it is damaged.': 'プロフィールのファイルではないか、壊れています。',
  'This is no link to a table: it has the form ADDRESS/t/TABLE#ROLE.SECRET; copy it whole.':
    'これは卓へのリンクではありません。ADDRESS/t/TABLE#ROLE.SECRETという形です。全体をコピーしてください。',
  'This is not a whole link': 'リンクが完全ではありません',
  'This is the installed page. iPhones and iPads keep it apart from the browser. If you have played there, bring in your file here, or play on in the browser.':
    'これはインストールされたページです。iPhoneとiPadでは、ブラウザとは別に保存されます。ブラウザで遊んだことがあれば、ここにファイルを取り込むか、ブラウザで続けてください。',
  'This is you from now on. The file is used up: save a new one.':
    'これからはこれがあなたです。前のファイルは使い終わりました。新しいファイルを保存してください。',
  'This key took the place of an earlier one of yours. People who count seasons or keep a roster need to know:':
    '前は別の鍵でした。シーズンを集計する人や名簿を作る人に渡してください。',
  'This link is for a {role}.': 'これは{role}用のリンクです。',
  'This page could not start: {problem}': 'このページを始められませんでした: {problem}',
  'This page takes part by itself: it made your key and keeps it, checks every line, and gives your part in each roll. It signs anything else only when you tap a button that says what is signed.':
    'このページ自身が1人の参加者です。あなたの鍵はここで作られてここに留まり、すべての行がここで検証され、各ロールへのあなたの分は自動的に出されます。それ以外はすべて、何に署名するかを述べたボタンを押して署名します。',
  'This part cannot be shown: {problem}. What was rolled is checked, and can be saved, all the same.':
    'この部分は表示できません: {problem}。それでも、振られたものは検証されており、保存できます。',
  'This seat, or a later one, is here already: a file is taken once.': 'この席か、より新しいものが既にここにあります。ファイルは一度だけ使えます。',
  'This server is called {name}.': 'このサーバーの名前は{name}です。',
  'This server makes no closed games public.': 'このサーバーは、終わったゲームを公開しません。',
  'This server names no games.': 'このサーバーにはゲームがありません。',
  'This server offers no judge of its own.': 'このサーバーには、サーバー自身のジャッジはいません。',
  'This server posts no results anywhere.': 'このサーバーは、結果をどこにも投稿しません。',
  'This table cannot be opened': 'この卓は開けません',
  'This table was deleted': 'この卓は削除されました',
  'Those whom I name, and the server. If all of these worked together, they could choose dice. The others trust that one of them is honest; the pages of the others need not be open.':
    '私が挙げる人とサーバー。その全員が組めば、サイコロを選べます。ほかの人は、そのうち1人が正直だと信じることになります。ページを開いている必要はありません。',
  Title: '題名',
  'To the content': '本文へ',
  'To the first page': '最初のページへ',
  'Type a name first.': '先に名前を入力してください。',
  'Verify a saved log in this browser': '保存したログをこのブラウザで検証する',
  'Wait for them': 'その人を待つ',
  'What all agree to before the first roll: the game, and who has a part in the dice. They cannot change afterwards.':
    '最初のロールの前に全員が同意すること: ゲームと、誰がサイコロに加わるか。後から変わりません。',
  'What the words mean': '言葉の意味',
  'When the game has begun, I can still let somebody in: {roles}': 'ゲームが始まった後も、参加を認められる: {roles}',
  'When the game is closed, everybody can read all of it at {address}: names, dice, and what they were for. Copies that people made stay with them, even if the table is deleted.':
    'ゲームが終わると、名前、サイコロ、何のためのロールかを含むすべてを、{address}で誰でも読めます。コピーした人の手元には、卓を削除しても残ります。',
  'Who has a part in a roll': 'ロールに加わる人',
  You: 'あなた',
  'You can look on, and everything is checked here all the same. To play, open the link in another browser.':
    '観戦はでき、すべてここで同じように検証されます。プレイするには、別のブラウザでリンクを開いてください。',
  'You have one key at all tables of this server. Anybody with two logs sees that you are the same person. For a table you can choose a separate key there.':
    'このサーバーのどの卓でも同じ鍵を使います。ログを二つ持つ人には、同じ人だとわかります。一つの卓だけの鍵は、その卓で選べます。',
  'You sit down as the game master; another seat is below More. Only you see such dice until you show them. Nothing in the game depends on them. The log counts the rolls that are not shown.':
    'あなたはゲームマスターとして着席します。別の席は「さらに」で選べます。そのサイコロは、見せるまであなただけのものです。ゲームの何もそれに左右されず、見せていないものはログが数えます。',
  'You will be called {text}. The log also has the name of your key: {name}.': '呼び名は{text}になります。ログには鍵の名前{name}も残ります。',
  'Your key is made in this browser and stays in it. With a passphrase you can move the seat to another browser, once. The passphrase is used here only, and is sent nowhere.':
    'あなたの鍵はこのブラウザで作られ、ここに留まります。パスフレーズがあれば、席を一度だけ別のブラウザに移せます。パスフレーズはここで使われるだけで、どこにも送られません。',
  'Your name at this table': 'この卓での名前',
  'Your place at the table. Its key was made in this browser and stays there.': '卓でのあなたの場所。鍵はこのブラウザで作られ、ここに残ります。',
  'a file, for when this browser is lost': 'このブラウザをなくしたときのためのファイル',
  all: '全部',
  away: '席を外している',
  'called off': '取りやめ',
  'choose…': '選んでください…',
  'code of the table': '卓のコード',
  'deleted from the server': 'サーバーから削除済み',
  'dice checked here, result by the server': 'サイコロはここで確認、結果はサーバー',
  'die {number}:': 'サイコロ{number}:',
  'fair ✓': '公正 ✓',
  'game master': 'ゲームマスター',
  judge: 'ジャッジ',
  keeper: '記録係',
  'leave out': '省略',
  link: 'リンク',
  log: 'ログ',
  'must be a kind': '種類でなければなりません',
  'must be an object': 'オブジェクトでなければなりません',
  'my seat, links, whose dice, who comes later': '自分の席、リンク、誰のサイコロか、後から来る人',
  no: 'いいえ',
  'none: I only open it': 'なし: 開くだけ',
  'not found here': 'ここにはありません',
  'not started; {count} {count:sits|sit} there': '開始前、着席{count}人',
  'number {number}': '{number}番',
  'one less: {what}': '1つ減らす: {what}',
  'one more': 'もう1つ',
  'one more: {what}': '1つ増やす: {what}',
  'opened by you': 'あなたが開いた卓',
  'over; {events}': '終了、{events}',
  'part in a roll': 'ロールに加わる',
  player: 'プレイヤー',
  'remove number {number}': '{number}番を取り除く',
  roll: 'ロール',
  seat: '席',
  server: 'サーバー',
  'something here is not as it was signed: look at it': '署名されたものと違うところがあります。開いて確かめてください',
  spectator: '観戦者',
  'started: waits for you to agree': '開始済み: あなたの同意を待っています',
  'such as {example}': '例: {example}',
  'such as {example}; several, one a line': '例: {example}。複数は1行に1つ',
  table: '卓',
  terms: '条件',
  'to be nobody known, or to move later': '知られずに遊ぶ、または後で移す',
  witness: '立会人',
  yes: 'はい',
  '{count} of these: {chosen} chosen': 'この中から{count}個: {chosen}個選択済み',
  '{count} s': '{count}秒',
  '{hours} h {minutes} min': '{hours}時間{minutes}分',
  '{least} to {most}': '{least}以上{most}以下',
  '{least} to {most} of these: {chosen} chosen': 'この中から{least}個から{most}個: {chosen}個選択済み',
  '{minutes} min {seconds} s': '{minutes}分{seconds}秒',
  '{name} is no name.': '{name}は名前になりません。',
  '{problem} (clause {clause})': '{problem}(条項{clause})',
};
