// node player.mjs LINK: sits down as "bob", opens for each roll, and says what is wrong. For `rollproof dev lying-server`.
import { join } from 'rollproof';
import { FileStorage } from 'rollproof/files';

const passphrase = process.env.PLAYER_PASSPHRASE ?? 'a passphrase for tests';
const storage = await FileStorage.open(`${process.env.ROLLPROOF_CLIENT_DIR}/seat`, { passphrase });
const bob = await join(process.argv.at(-1), { name: 'bob', storage });
bob.on('warning', ({ text }) => console.log(`warning: ${text}`));
bob.on('cheated', (error) => console.log(`THE SERVER CHEATS: ${error.message}`));
await bob.begun();
