import { z } from 'zod'
import {
  EditThreatList,
  removeThreats,
  replaceThreats,
  setPauses,
  ThreatListView,
  viewThreats,
} from '@/lib/blocklist/threat-list'
import { EditHealthSetting, HealthSetting, healthSetting, setHealth } from '@/lib/destinations/health'
import { adminAction, adminList } from './admin-action'
import { endpoint } from './endpoint'

/** A million hosts, or whole hashes. */
const LIST_OF_THREATS_MB = 70

const BY_KEY = { auth: 'account', proof: 'key', limit: 'account' } as const

export const getHealth = endpoint(
  'GET /api/v1/account/health',
  {
    ...BY_KEY,
    id: 'getHealthSetting',
    summary: 'Retrieve whether your destinations are checked',
    answers: { 200: ['The setting', HealthSetting] },
  },
  ({ ctx, account }) => healthSetting(ctx, account.id),
)

export const putHealth = endpoint(
  'PUT /api/v1/account/health',
  {
    ...BY_KEY,
    id: 'setHealthSetting',
    summary: 'Turn the checks of your destinations on or off',
    description:
      'Checked are the destinations of active links, about once a week, and more often once something is wrong. This never changes where a link leads. Turning it off deletes what was found.',
    body: EditHealthSetting,
    answers: { 200: ['The setting', HealthSetting] },
  },
  ({ ctx, account, body }) => setHealth(ctx, account.id, body.enabled),
)

export const getThreats = adminList(
  'GET /api/v1/admin/threats',
  'Retrieve what is known of the list of threats',
  z.strictObject({}),
  ThreatListView,
  (ctx) => viewThreats(ctx),
)

export const putThreats = adminAction(
  'PUT /api/v1/admin/threats',
  {
    summary: 'Replace the list of threats',
    description:
      'One entry a line, up to 1,000,000: SHA-256 prefixes of 4 to 32 bytes in hexadecimal digits, of host and path expressions as Safe Browsing defines them; hosts or the lines of a hosts file, each with all below it; and http(s) URLs. Prefixes of less than 8 bytes match by chance now and then: they mark links, and never pause or refuse one.',
    proof: 'key',
    action: 'threat-list.replace',
    body: z.string().meta({ example: 'threats.txt' }),
    bodyType: 'text/plain',
    bodyMb: LIST_OF_THREATS_MB,
    answers: { 200: ['The list', ThreatListView] },
  },
  async ({ ctx, body }) => {
    const list = await replaceThreats(ctx, body)
    return { target: 'threats', details: { entries: list.entries, bad: list.bad?.count ?? 0 }, answer: list }
  },
)

export const patchThreats = adminAction(
  'PATCH /api/v1/admin/threats',
  {
    summary: 'Turn pausing of links to listed destinations on or off',
    description:
      'While it’s on, such links answer 410 with a page that says so, and new ones are refused. Links that the list no longer names open again.',
    proof: 'key',
    action: 'threat-list.edit',
    body: EditThreatList,
    answers: { 200: ['The list', ThreatListView] },
  },
  async ({ ctx, body }) => ({ target: 'threats', details: body, answer: await setPauses(ctx, body.pauses) }),
)

export const deleteThreats = adminAction(
  'DELETE /api/v1/admin/threats',
  { summary: 'Remove the list of threats', proof: 'key', action: 'threat-list.remove', answers: { 204: 'The list is removed' } },
  async ({ ctx }) => {
    await removeThreats(ctx)
    return { target: 'threats' }
  },
)
