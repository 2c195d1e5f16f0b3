/** `#i18n` for client components, as package.json maps it; server components get app/_server/i18n.ts by the same name. */
export { useLocale, useTranslations } from 'use-intl/react'
