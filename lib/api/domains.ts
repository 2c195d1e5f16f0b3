import { AppFilesView, UpdateAppFiles } from '@/lib/domains/app-files-schema'
import { addDomain, listDomains, removeDomain, updateDomain, verifyDomain } from '@/lib/domains/edit'
import { readAppFiles, updateAppFiles } from '@/lib/domains/edit-app-files'
import { ChangeCodeCase, CreateDomain, DomainList, DomainView, UpdateDomain } from '@/lib/domains/schemas'
import { JobView } from '@/lib/jobs/schemas'
import { queueCodeCase } from '@/lib/links/code-case'
import { adminAction, LOOKING } from './admin-action'
import { endpoint } from './endpoint'
import { idOf } from './path'

export const getDomains = endpoint(
  'GET /api/v1/admin/domains',
  { ...LOOKING, summary: 'List domains', answers: { 200: ['The domains', DomainList] } },
  async ({ ctx }) => ({ domains: await listDomains(ctx) }),
)

export const postDomain = adminAction(
  'POST /api/v1/admin/domains',
  {
    summary: 'Add a domain',
    proof: 'key',
    action: 'domain.add',
    body: CreateDomain,
    answers: { 201: ['The new domain, with two ways to prove that you own it', DomainView] },
    errors: [409],
  },
  async ({ ctx, body }) => {
    const domain = await addDomain(ctx, body)
    return { target: domain.host, answer: domain }
  },
)

export const patchDomain = adminAction(
  'PATCH /api/v1/admin/domains/{id}',
  {
    summary: 'Edit a domain',
    description: 'Answered once every process goes by it, about a second later.',
    proof: 'key',
    action: 'domain.change',
    body: UpdateDomain,
    answers: { 200: ['The updated domain', DomainView] },
    errors: [409],
  },
  async ({ ctx, account, params, body }) => {
    const domain = await updateDomain(ctx, Number(idOf(params, 'domain', 9)), body, account.id)
    return { target: domain.host, details: body, answer: domain, until: ctx.domains.known() }
  },
)

export const postCodeCase = adminAction(
  'POST /api/v1/admin/domains/{id}/code-case',
  {
    summary: 'Turn case-insensitive back-halves on or off',
    description:
      'Turned on, capitals make no difference on this domain, and back-halves are kept in small letters. Refused with a list if ' +
      'back-halves would become the same. All links lead on meanwhile.',
    proof: 'key',
    action: 'domain.case',
    body: ChangeCodeCase,
    answers: { 202: ['The job', JobView] },
    errors: [409],
  },
  async ({ ctx, account, address, locale, params, body }) => {
    const { job, host } = await queueCodeCase(ctx, { account, address, locale }, Number(idOf(params, 'domain', 9)), body)
    return { target: host, details: { ...body, job: job.number }, job }
  },
)

export const postVerify = adminAction(
  'POST /api/v1/admin/domains/{id}/verify',
  {
    summary: 'Verify a domain',
    proof: 'key',
    action: 'domain.verify',
    answers: { 200: ['The updated domain', DomainView] },
    errors: [409],
  },
  async ({ ctx, params }) => {
    const domain = await verifyDomain(ctx, Number(idOf(params, 'domain', 9)))
    return { target: domain.host, answer: domain, until: ctx.domains.known() }
  },
)

export const getAppFiles = endpoint(
  'GET /api/v1/admin/domains/{id}/app-files',
  {
    ...LOOKING,
    summary: 'Retrieve the app files of a domain',
    answers: { 200: ['The files, null for those it does not have', AppFilesView] },
  },
  ({ ctx, params }) => readAppFiles(ctx, Number(idOf(params, 'domain', 9))),
)

export const patchAppFiles = adminAction(
  'PATCH /api/v1/admin/domains/{id}/app-files',
  {
    summary: 'Set the app files of a domain',
    description: 'They tell iOS and Android which apps open links of the domain. A change is served within ten seconds.',
    proof: 'key',
    action: 'domain.app-files',
    body: UpdateAppFiles,
    answers: { 200: ['The files, null for those it does not have', AppFilesView] },
  },
  async ({ ctx, params, body }) => {
    const { host, files } = await updateAppFiles(ctx, Number(idOf(params, 'domain', 9)), body)
    return { target: host, details: body, answer: files }
  },
)

export const deleteDomain = adminAction(
  'DELETE /api/v1/admin/domains/{id}',
  { summary: 'Remove a domain', proof: 'key', action: 'domain.remove', answers: { 204: 'The domain is removed' }, errors: [409] },
  async ({ ctx, params }) => {
    const { host } = await removeDomain(ctx, Number(idOf(params, 'domain', 9)))
    return { target: host }
  },
)
