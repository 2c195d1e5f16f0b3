import { byId, say, showFailure, writePage } from './messages'
import { readSettings, troubleWith, writeSettings } from './server'

/** Which server, and whose links: kept only once a Terse there has answered. */
const form = byId<HTMLFormElement>('form')
const server = byId<HTMLInputElement>('server')
const key = byId<HTMLInputElement>('key')

writePage()
const known = await readSettings()
server.value = known?.server ?? ''
key.value = known?.key ?? ''

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void save()
})

async function save(): Promise<void> {
  showFailure('')
  byId('saved').textContent = ''
  const settings = { server: new URL(server.value).origin, key: key.value.trim() }
  // The browser asks the person itself, and only for this one host.
  if (!(await chrome.permissions.request({ origins: [`${settings.server}/*`] })))
    return showFailure(say('notAllowed', settings.server))
  const trouble = await troubleWith(settings)
  if (trouble !== '') return showFailure(trouble)
  await writeSettings(settings)
  byId('saved').textContent = say('saved')
}
