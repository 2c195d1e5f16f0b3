import { deleteLabel, listLabels, renameLabel } from '@/lib/labels/labels'
import { Labels, LabelView, RenameLabel } from '@/lib/labels/schemas'
import { endpoint } from './endpoint'
import { idOf } from './path'

export const getLabels = endpoint(
  'GET /api/v1/labels',
  {
    id: 'listLabels',
    summary: 'List your tags and folders',
    description: 'A tag or folder is created when a link is first given it.',
    auth: 'account',
    proof: 'key',
    limit: 'api',
    answers: { 200: ['All tags and folders', Labels] },
  },
  ({ ctx, account }) => listLabels(ctx, account.id),
)

export const patchLabel = endpoint(
  'PATCH /api/v1/labels/{id}',
  {
    id: 'renameLabel',
    summary: 'Rename a tag or folder',
    auth: 'account',
    proof: 'key',
    limit: 'api',
    body: RenameLabel,
    answers: { 200: ['The tag or folder', LabelView] },
    errors: [409],
  },
  (call) => renameLabel(call.ctx, call.account.id, idOf(call.params, 'label'), call.body.name),
)

export const removeLabel = endpoint(
  'DELETE /api/v1/labels/{id}',
  {
    id: 'deleteLabel',
    summary: 'Delete a tag or folder',
    description: 'Its links stay as they are otherwise.',
    auth: 'account',
    proof: 'key',
    limit: 'api',
    answers: { 204: 'The tag or folder is deleted' },
  },
  (call) => deleteLabel(call.ctx, call.account.id, idOf(call.params, 'label')),
)
