// Firefox for test_firefox.py, over WebDriver BiDi: `node firefox.mjs PUPPETEER FIREFOX`; a line of JSON in, a line out.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [module, executablePath] = process.argv.slice(2);
const { default: puppeteer } = await import(pathToFileURL(module).href);
const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, protocolTimeout: 600_000 });

const pages = [];
const told = new Map();

/** Keeps a page, and what its console says. */
function kept(page) {
  const said = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(String(error?.message ?? error)));
  told.set(page, said);
  return pages.push(page) - 1;
}

const commands = {
  version: () => browser.version(),
  async open({ width, height }) {
    const page = await (await browser.createBrowserContext()).newPage();
    if (width) await page.setViewport({ width, height });
    return kept(page);
  },
  async beside({ page }) {
    return kept(await pages[page].browserContext().newPage());
  },
  async click({ page, selector }) {
    await (await pages[page].waitForSelector(selector)).click();
  },
  async type({ page, selector, text }) {
    await (await pages[page].waitForSelector(selector)).type(text);
  },
  press: ({ page, key }) => pages[page].keyboard.press(key).then(() => null),
  told: ({ page }) => told.get(pages[page]),
  front: ({ page }) => pages[page].bringToFront().then(() => null),
  async popup({ page, selector }) {
    const came = new Promise((resolve) => pages[page].once('popup', resolve));
    await pages[page].click(selector);
    return kept(await came);
  },
  goto: ({ page, url, waits = true }) => pages[page].goto(url, waits ? {} : { waitUntil: [] }).then(() => null),
  evaluate: ({ page, script, given }) => pages[page].evaluate(`(${script})(${JSON.stringify(given ?? null)})`),
  async give({ page, selector, files }) {
    await (await pages[page].$(selector)).uploadFile(...files);
  },
  async picture({ page, path }) {
    await pages[page].screenshot({ path });
  },
};

process.stdout.write('{"value": null}\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, ...given } = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await commands[name](given)) ?? null };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
