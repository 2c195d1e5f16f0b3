import { findManaged } from '@/lib/links/find'
import { PreviewView, readAgain, viewPreview } from '@/lib/previews/view'
import { endpoint } from './endpoint'
import { addressOf } from './links'
import { AddressQuery, CodePath } from './path'

const OF_ONE = { auth: 'link', limit: 'api', params: CodePath, query: AddressQuery, errors: [400, 403, 410] } as const

export const getPreview = endpoint(
  'GET /api/v1/links/{code}/preview',
  {
    ...OF_ONE,
    id: 'getPreview',
    summary: 'Retrieve what apps show of a link',
    description: 'Apps that show a card where someone wrote a link, such as Slack, X, and WhatsApp.',
    answers: { 200: ['What apps are shown', PreviewView] },
  },
  async (call) => viewPreview(call.ctx, await findManaged(call.ctx, call.actor, addressOf(call), 'read')),
)

export const postPreview = endpoint(
  'POST /api/v1/links/{code}/preview',
  {
    ...OF_ONE,
    limit: 'post',
    id: 'fetchPreview',
    summary: 'Read the preview of a link from its destination again',
    description: 'Does nothing unless `preview` of the link is `destination`. The page is read within seconds.',
    answers: { 200: ['What apps are shown until then', PreviewView] },
  },
  async (call) => readAgain(call.ctx, await findManaged(call.ctx, call.actor, addressOf(call), 'write')),
)
