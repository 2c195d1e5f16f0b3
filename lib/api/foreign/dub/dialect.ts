import { byKey } from '@/lib/accounts/identify'
import { CHANGES, type Dialect, foreignEndpoint, READS } from '../dialect'
import { retrieve } from './analytics'
import { createMany, editMany, removeMany } from './bulk'
import * as domains from './domains'
import * as labels from './labels'
import { count, create, edit, list, read, remove, upsert } from './links'
import { refuse } from './problem'
import { qrCode } from './qr'

const CREATES = { ...CHANGES, limit: 'post' } as const
const ADMIN = { limit: 'account', needs: 'admin', changes: true } as const

/** The API of Dub, below a path of its own: its SDK takes the address of a server as `https://go.example.com/dub`. */
export const dub: Dialect = {
  endpoints: [
    foreignEndpoint('GET /dub/links', { ...READS, summary: 'List links' }, list),
    foreignEndpoint('POST /dub/links', { ...CREATES, summary: 'Create a link' }, create),
    foreignEndpoint('GET /dub/links/info', { ...READS, summary: 'Retrieve a link' }, read),
    foreignEndpoint('GET /dub/links/count', { ...READS, summary: 'Count links' }, count),
    foreignEndpoint('PUT /dub/links/upsert', { ...CREATES, summary: 'Edit the link to a destination, or create one' }, upsert),
    foreignEndpoint('POST /dub/links/bulk', { ...CREATES, isList: true, summary: 'Create up to 100 links' }, createMany),
    foreignEndpoint('PATCH /dub/links/bulk', { ...CHANGES, summary: 'Edit up to 100 links alike' }, editMany),
    foreignEndpoint('DELETE /dub/links/bulk', { ...CHANGES, summary: 'Delete up to 100 links' }, removeMany),
    foreignEndpoint('PATCH /dub/links/{id}', { ...CHANGES, summary: 'Edit a link' }, edit),
    foreignEndpoint('DELETE /dub/links/{id}', { ...CHANGES, summary: 'Delete a link' }, remove),
    foreignEndpoint('GET /dub/tags', { ...READS, summary: 'List tags' }, labels.list('tag')),
    foreignEndpoint('POST /dub/tags', { ...CHANGES, summary: 'Create a tag' }, labels.create('tag')),
    foreignEndpoint('PATCH /dub/tags/{id}', { ...CHANGES, summary: 'Rename a tag' }, labels.edit('tag')),
    foreignEndpoint('DELETE /dub/tags/{id}', { ...CHANGES, summary: 'Delete a tag' }, labels.remove('tag')),
    foreignEndpoint('GET /dub/folders', { ...READS, summary: 'List folders' }, labels.list('folder')),
    foreignEndpoint('POST /dub/folders', { ...CHANGES, summary: 'Create a folder' }, labels.create('folder')),
    foreignEndpoint('PATCH /dub/folders/{id}', { ...CHANGES, summary: 'Rename a folder' }, labels.edit('folder')),
    foreignEndpoint('DELETE /dub/folders/{id}', { ...CHANGES, summary: 'Delete a folder' }, labels.remove('folder')),
    foreignEndpoint('GET /dub/domains', { ...READS, summary: 'List domains' }, domains.list),
    foreignEndpoint('POST /dub/domains', { ...ADMIN, summary: 'Add a domain, as an admin' }, domains.create),
    foreignEndpoint('PATCH /dub/domains/{slug}', { ...ADMIN, summary: 'Edit a domain, as an admin' }, domains.edit),
    foreignEndpoint('DELETE /dub/domains/{slug}', { ...ADMIN, summary: 'Remove a domain, as an admin' }, domains.remove),
    foreignEndpoint('GET /dub/analytics', { ...READS, summary: 'Retrieve clicks of a link, or of several' }, retrieve),
    foreignEndpoint('GET /dub/qr', { ...READS, limit: 'qr', summary: 'Retrieve the QR code of a link' }, qrCode),
  ],
  identify: async (ctx, { request }) => {
    const key = request.headers.get('authorization')?.replace(/^bearer\s+/i, '')
    return key ? byKey(ctx, key) : null
  },
  refuse,
  keyHeaders: ['Authorization'],
}
