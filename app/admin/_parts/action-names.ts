import { useTranslations } from '#i18n'
import { AUDIT_ACTIONS, type AuditAction } from '@/lib/audit/values'

type Dashed<A extends string> = A extends `${infer Area}.${infer Verb}` ? `${Area}-${Verb}` : never

/** As messages are called, whose names have no dots. */
export const actionKey = (action: AuditAction) => action.replace('.', '-') as Dashed<AuditAction>

/** Whether this version knows an action: an older or newer one may have written it down. */
export const isAction = (action: string): action is AuditAction => (AUDIT_ACTIONS as readonly string[]).includes(action)

/** What says actions in a word or two; one that is not known, as the log has it. */
export function useActionName(): (action: string) => string {
  const t = useTranslations('admin')
  return (action) => (isAction(action) ? t(`action.${actionKey(action)}`) : action)
}
