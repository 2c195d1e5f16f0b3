import { ProvideMessages } from '@/app/_server/messages'
import { adminMetadata, adminPage } from '@/app/admin/_parts/admin-page'
import { SystemPage } from '@/app/admin/system/_parts/system-page'

export const generateMetadata = adminMetadata('system')

export default adminPage('system', () => (
  <ProvideMessages of={['system']}>
    <SystemPage />
  </ProvideMessages>
))
