// node bot.mjs LINK: sits down as "bot", and answers each line of standard input with dice.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'rollproof';
import { FileStorage } from 'rollproof/files';

const storage = await FileStorage.open('./bot-seat', { passphrase: process.env.BOT_PASSPHRASE });
const bot = await join(process.argv[2], { name: 'bot', storage });
bot.on('roll', ({ called, dice, said }) => console.log(`${called}: ${dice.map((die) => die.natural).join(' ')} ${said?.summary ?? ''}`));
bot.on('waits', ({ for: names }) => console.log(`waiting for ${names.join(', ')}`));
bot.on('cheated', (error) => {
  console.log(`THE SERVER CHEATS: ${error.message}`);
  for (const { name, bytes } of error.files) writeFileSync(name, bytes);
});
for await (const line of createInterface({ input: process.stdin })) {
  await bot.roll(line).catch((error) => console.log(error.message));
}
bot.end();
storage.close();
