import type { WaitingUrl } from './waiting'

export interface Words {
  /** Said of a URL that was kept. */
  kept: string
  /** Said where there is nothing to keep. */
  none: string
  /** Said of what is no URL. */
  wrong: string
  /** Said where the browser refuses to keep it. */
  refused: string
  remove: string
}

/**
 * What the page does that opens without a network. It is sent as source, so it uses nothing from outside itself.
 * @param addressIn of lib/forms/shared.ts
 */
export function keepUrls(key: string, most: number, words: Words, addressIn: (text: string) => string): void {
  const byId = (id: string) => document.getElementById(id) as HTMLElement
  const input = byId('url') as HTMLInputElement
  const read = (): WaitingUrl[] => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
      return Array.isArray(kept) ? kept : []
    } catch {
      return []
    }
  }
  // As completeAddress of lib/forms/fields.ts and the rules for a destination, as far as they show without a server.
  const isUrl = (text: string) => {
    const whole = /^https?:\/\//i.test(text)
    try {
      const { hostname, username } = new URL(whole ? text : `https://${text}`)
      return username === '' && (whole || hostname.includes('.') || hostname === 'localhost')
    } catch {
      return false
    }
  }
  const say = (text: string, wrong: boolean) => {
    byId('said').textContent = text
    byId('said').className = wrong ? 'error' : ''
    if (wrong) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
  }
  const write = (list: WaitingUrl[]): boolean => {
    try {
      if (list.length > 0) localStorage.setItem(key, JSON.stringify(list.slice(0, most)))
      else localStorage.removeItem(key)
      return list.length <= most
    } catch {
      return false
    }
  }
  const show = () => {
    const list = read()
    byId('waiting').hidden = list.length === 0
    byId('list').replaceChildren(
      ...list.map(({ id, url }) => {
        const [item, text, button] = [
          document.createElement('li'),
          document.createElement('span'),
          document.createElement('button'),
        ]
        text.textContent = url
        button.type = 'button'
        button.textContent = words.remove
        button.setAttribute('aria-label', `${words.remove}: ${url}`)
        button.addEventListener('click', () => {
          write(read().filter((one) => one.id !== id))
          show()
          input.focus()
        })
        item.append(text, button)
        return item
      }),
    )
  }
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault()
    const url = input.value.trim()
    if (url === '') return say(words.none, true)
    if (!isUrl(url)) return say(words.wrong, true)
    // Two, so that it is known from wherever this device is by then.
    const id = `${crypto.randomUUID()}.${crypto.randomUUID()}`
    if (!write([...read(), { id, url }])) return say(words.refused, true)
    input.value = ''
    say(words.kept, false)
    show()
  })
  const query = new URLSearchParams(location.search)
  input.value = ['url', 'text', 'title'].map((name) => addressIn(query.get(name) ?? '')).find(Boolean) ?? query.get('url') ?? ''
  if (matchMedia('(pointer: fine)').matches) input.focus()
  addEventListener('storage', show)
  // The front page creates what is kept. What is typed goes along.
  const leave = () => location.replace(input.value.trim() === '' ? '/' : `/?url=${encodeURIComponent(input.value)}`)
  // Browsers say that there is a network before anything can be reached by it.
  const look = () => {
    if (document.visibilityState === 'visible') fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).then(leave, () => {})
  }
  addEventListener('online', look)
  setInterval(look, 3_000)
  show()
}
