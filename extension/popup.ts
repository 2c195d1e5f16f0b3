import { toString as qrSvg } from 'qrcode'
import { byId, say, showFailure, writePage } from './messages'
import { readSettings, type Settings, shorten } from './server'

/** What opens at the extension's button: the tab's address, and then its short link, copied already. */
const form = byId<HTMLFormElement>('form')
const submit = form.querySelector('button') as HTMLButtonElement
let shortUrl = ''

writePage()
await begin()

async function begin(): Promise<void> {
  const settings = await readSettings()
  if (!settings) return chrome.runtime.openOptionsPage()
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true })
  // Pages of the browser itself lead nobody anywhere.
  byId<HTMLInputElement>('url').value = /^https?:/.test(tab?.url ?? '') ? (tab?.url ?? '') : ''
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(settings)
  })
  byId('copy').addEventListener('click', () => void copy())
  byId('qr').addEventListener('click', () => void toggleQr())
  form.hidden = false
  submit.focus()
}

async function send(settings: Settings): Promise<void> {
  const read = (name: string) => String(new FormData(form).get(name) ?? '').trim()
  submit.disabled = true
  showFailure('')
  const answer = await shorten(settings, read('url'), read('code'))
  submit.disabled = false
  if (!answer.ok) return showFailure(answer.why)
  shortUrl = answer.shortUrl
  const link = byId<HTMLAnchorElement>('short')
  link.href = shortUrl
  link.textContent = shortUrl.replace(/^https?:\/\//, '')
  form.hidden = true
  byId('result').hidden = false
  byId('copy').focus()
  await copy()
}

async function copy(): Promise<void> {
  const copied = await navigator.clipboard.writeText(shortUrl).then(
    () => true,
    () => false,
  )
  byId('copied').textContent = say(copied ? 'copied' : 'created')
}

async function toggleQr(): Promise<void> {
  const image = byId('code-image')
  if (image.childElementCount === 0) {
    image.innerHTML = await qrSvg(shortUrl, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
    image.setAttribute('aria-label', say('qrOf', shortUrl))
  }
  image.hidden = !image.hidden
  byId('qr').setAttribute('aria-expanded', String(!image.hidden))
}
