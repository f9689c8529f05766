"""The schema's history: one file per edition, applied in order by alembic."""
