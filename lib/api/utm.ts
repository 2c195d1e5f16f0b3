import { z } from 'zod'
import { CreateUtmTemplate, UpdateUtmTemplate, UtmTemplates, UtmTemplateView } from '@/lib/utm/schemas'
import { createTemplate, deleteTemplate, listTemplates, updateTemplate } from '@/lib/utm/templates'
import { MOST_TEMPLATES } from '@/lib/utm/values'
import { endpoint } from './endpoint'
import { idOf } from './path'
import { json } from './problem'

const OWN = { auth: 'account', proof: 'key', limit: 'api' } as const
const ONE = { ...OWN, params: z.object({ id: z.string().meta({ description: 'The ID of the template.' }) }) } as const

export const getTemplates = endpoint(
  'GET /api/v1/utm-templates',
  {
    ...OWN,
    id: 'listUtmTemplates',
    summary: 'List your UTM templates',
    answers: { 200: ['All templates, by name', UtmTemplates] },
  },
  async ({ ctx, account }) => ({ templates: await listTemplates(ctx, account.id) }),
)

export const postTemplate = endpoint(
  'POST /api/v1/utm-templates',
  {
    ...OWN,
    id: 'createUtmTemplate',
    summary: 'Create a UTM template',
    description: `An account can have up to ${MOST_TEMPLATES} templates. Their names differ by more than case.`,
    body: CreateUtmTemplate,
    answers: { 201: ['The new template', UtmTemplateView] },
    errors: [409],
  },
  async ({ ctx, account, body }) => json(201, await createTemplate(ctx, account.id, body)),
)

export const patchTemplate = endpoint(
  'PATCH /api/v1/utm-templates/{id}',
  {
    ...ONE,
    id: 'updateUtmTemplate',
    summary: 'Edit a UTM template',
    description: 'Links that were created with it stay as they are.',
    body: UpdateUtmTemplate,
    answers: { 200: ['The edited template', UtmTemplateView] },
    errors: [409],
  },
  (call) => updateTemplate(call.ctx, call.account.id, idOf(call.params, 'template'), call.body),
)

export const removeTemplate = endpoint(
  'DELETE /api/v1/utm-templates/{id}',
  { ...ONE, id: 'deleteUtmTemplate', summary: 'Delete a UTM template', answers: { 204: 'The template is deleted' } },
  (call) => deleteTemplate(call.ctx, call.account.id, idOf(call.params, 'template')),
)
