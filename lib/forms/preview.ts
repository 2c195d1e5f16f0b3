import type { PreviewSetting } from '@/lib/previews/values'
import { completeAddress, jsonIn } from './fields'

/** What apps show of a link as a form keeps it: the JSON of one field, '' for nothing chosen. */

/** What the field says, also while it is typed. Null for a text that says nothing, or that was not written by this form. */
export const previewIn = (text: string | undefined) => jsonIn<PreviewSetting>(text)

/** The text of the field. */
export const previewText = (setting: PreviewSetting | null | undefined): string => (setting ? JSON.stringify(setting) : '')

/** The same as the API takes it. What cannot be read is sent as it is, for the API to refuse. */
export function previewMeaning(text: string): unknown {
  if (text === '') return null
  const setting = previewIn(text)
  if (setting?.source !== 'custom') return setting ?? text
  return { ...setting, title: setting.title.trim(), image: completeAddress(setting.image ?? '') || null }
}
