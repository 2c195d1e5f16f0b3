import { ProvideMessages } from '@/app/_server/messages'
import { adminMetadata, adminPage } from '@/app/admin/_parts/admin-page'
import { ReportsPage } from '@/app/admin/reports/_parts/reports-page'

export const generateMetadata = adminMetadata('reports')

export default adminPage('reports', () => (
  <ProvideMessages of={['reports']}>
    <ReportsPage />
  </ProvideMessages>
))
