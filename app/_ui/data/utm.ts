import { useEffect, useState } from 'react'
import { nameKeyOf } from '@/lib/labels/names'
import type { CreateUtmTemplate, UtmTemplateView } from '@/lib/utm/schemas'
import { UTM_NAMES, type Utm } from '@/lib/utm/values'
import { type Result, send } from './http'
import type { SavedQueries, SavedQuery } from './saved-queries'

const PATH = '/api/v1/utm-templates'

/** Values as a query has them, without those that are empty. */
export const utmQuery = (utm: Utm): string =>
  new URLSearchParams(UTM_NAMES.filter((name) => utm[name]).map((name) => [`utm_${name}`, utm[name]])).toString()

/** The values that a query has, and no others. */
export function utmIn(query: string): Partial<Utm> {
  const given = new URLSearchParams(query)
  return Object.fromEntries(
    UTM_NAMES.flatMap((name) => (given.get(`utm_${name}`) ? [[name, given.get(`utm_${name}`) ?? '']] : [])),
  )
}

interface Templates {
  /** null until they are here. */
  saved: SavedQueries | null
  /** Why they are not. */
  failure: string | null
}

/** The UTM templates of the account that is signed in. */
export function useUtmTemplates(): Templates {
  const [all, setAll] = useState<readonly UtmTemplateView[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    void send<{ templates: UtmTemplateView[] }>('GET', PATH, { signal: abort.signal }).then((result) => {
      if (abort.signal.aborted) return
      if (result.ok) setAll(result.value.templates)
      else setFailure(result.failure.message)
    })
    return () => abort.abort()
  }, [])
  if (all === null) return { saved: null, failure }
  const found = (name: string) => all.find((one) => nameKeyOf(one.name) === nameKeyOf(name))
  const without = (id: string | undefined) => all.filter((one) => one.id !== id)
  const save = async ({ name, query }: SavedQuery): Promise<string | null> => {
    const before = found(name)
    const body: CreateUtmTemplate = { name, ...utmIn(query) }
    const result: Result<UtmTemplateView> = before
      ? await send('PATCH', `${PATH}/${before.id}`, { body: { ...NOTHING, ...body } })
      : await send('POST', PATH, { body })
    if (!result.ok) return result.failure.message
    setAll([...without(before?.id), result.value].sort((a, b) => a.name.localeCompare(b.name)))
    return null
  }
  const remove = async (name: string): Promise<string | null> => {
    const one = found(name)
    if (!one) return null
    const result = await send('DELETE', `${PATH}/${one.id}`)
    if (!result.ok) return result.failure.message
    setAll(without(one.id))
    return null
  }
  const shown = all.map((one) => ({ name: one.name, query: utmQuery(one) }))
  return { saved: { all: shown, save, remove }, failure: null }
}

const NOTHING: Utm = { source: '', medium: '', campaign: '', term: '', content: '' }
