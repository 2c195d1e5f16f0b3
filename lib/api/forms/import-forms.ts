import { Readable } from 'node:stream'
import { invalid } from '@/lib/forms/failure'
import { completeAddress, textOf } from '@/lib/forms/fields'
import { columnsIn, ownersIn } from '@/lib/forms/import'
import type { FormResults } from '@/lib/forms/sent'
import { say } from '@/lib/i18n/message'
import type { JobView } from '@/lib/jobs/schemas'
import { LIVE_FROM, MOVED_FROM } from '@/lib/movers/sources'
import type { Endpoint } from '../endpoint'
import { postCancel, postPause, postResume, postStart, postUndo } from '../jobs'
import { postColumns, postImport } from '../links-import'
import { postMove, postVerify } from '../moving'
import type { SentFile } from './file-form'
import { type FormCall, type FormRoute, NEEDS_SCRIPTS, type Outcome, type Told } from './form-route'

const PAGE = '/dashboard/import'
const pages = /^\/dashboard\/import$/

/** Of a file that is looked at, less than `postColumns` takes. */
const BEGINNING = 200_000

/** What can be done to a job, by the names of the buttons. */
const STEPS: Readonly<Record<string, Endpoint>> = {
  start: postStart,
  cancel: postCancel,
  pause: postPause,
  resume: postResume,
  undo: postUndo,
  verify: postVerify,
}

/** Where links come from: the page is asked for by it. */
const fromOf = ({ page }: FormCall) => MOVED_FROM.find((name) => name === page.searchParams.get('from'))

const toJob = (told: Told): Outcome<never> =>
  told.ok ? { to: `${PAGE}?job=${(told.value as JobView).number}` } : { failure: told.failure }

/** The beginning of a file, of which the rest is let go by who gave it. */
function beginningOf({ name, bytes }: SentFile): SentFile {
  async function* some() {
    let left = BEGINNING
    for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      yield chunk.subarray(0, left)
      left -= chunk.length
      if (left <= 0) return
    }
  }
  return { name, bytes: Readable.from(some()), atLeast: 0 }
}

/** The forms of the page that imports links. */
export const IMPORT_FORMS: { readonly [F in 'import' | 'import-live' | 'import-step']: FormRoute<F> } = {
  import: {
    pages,
    keeps: ['domain', 'site', 'column.*', 'named.*'],
    takesFile: true,
    async answer(call) {
      const { data, file, upload, write } = call
      if (file === null) return { failure: invalid({}, write(say('api.import.noFile'))), status: 422 }
      const from = fromOf(call)
      if (!from) {
        const isJson = /\.(json|jsonl|ndjson)$/i.test(file.name)
        return toJob(await upload(postImport, '?dryRun=true', isJson ? 'application/json' : 'text/csv', file))
      }
      const columns = columnsIn(data)
      if (from === 'other' && columns === null) {
        const told = await upload(postColumns, '?from=other', 'text/plain', beginningOf(file))
        return told.ok ? { result: told.value as FormResults['import'], status: 200 } : { failure: told.failure }
      }
      const said = {
        ...{ dryRun: 'true', from, domain: textOf(data, 'domain'), site: completeAddress(textOf(data, 'site')) },
        columns: columns ? JSON.stringify(columns) : '',
      }
      const query = new URLSearchParams(Object.entries(said).filter(([, text]) => text !== ''))
      return toJob(await upload(postImport, `?${query}`, 'text/plain', file))
    },
  },

  'import-live': {
    pages,
    keeps: ['address', 'domain'],
    secrets: ['key'],
    async answer(call) {
      const { data, api, write } = call
      const from = LIVE_FROM.find((name) => name === fromOf(call))
      if (!from) return { failure: invalid({}, write(NEEDS_SCRIPTS)), status: 422 }
      const [address, domain] = [completeAddress(textOf(data, 'address')), textOf(data, 'domain')]
      const asked = { from, key: textOf(data, 'key').trim(), dryRun: true }
      return toJob(await api(postMove, { ...asked, ...(address !== '' && { address }), ...(domain !== '' && { domain }) }))
    },
  },

  'import-step': {
    pages,
    keeps: ['address', 'owners.*'],
    async answer({ data, page, api, write }) {
      const step = textOf(data, 'step')
      const endpoint = STEPS[step]
      const number = page.searchParams.get('job') ?? ''
      if (!endpoint) return { failure: invalid({}, write(NEEDS_SCRIPTS)), status: 422 }
      const owners = step === 'start' ? ownersIn(data) : null
      const body = step === 'verify' ? { address: completeAddress(textOf(data, 'address')) } : owners ? { owners } : {}
      return toJob(await api(endpoint, body, {}, { number }))
    },
  },
}
