import type { z } from 'zod'
import type { PreviewView } from '@/lib/previews/view'
import { authorization, type LinkKey, linkPath } from './api'
import { send } from './http'

export type Preview = z.output<typeof PreviewView>

const pathOf = (key: LinkKey) => linkPath(key, '/preview', { domain: key.domain })

/** What apps are shown of a link. */
export const getPreview = (key: LinkKey, signal?: AbortSignal) =>
  send<Preview>('GET', pathOf(key), { headers: authorization(key), signal })
/** Has the destination read again. */
export const fetchPreview = (key: LinkKey) => send<Preview>('POST', pathOf(key), { headers: authorization(key) })
