-- Vectors of the endpoint that the user set up (docs/embeddings.md), beside those of the built-in table. `id` grows with
-- every write, so that a reader finds vectors that were added out of row order.
CREATE TABLE memory_embeddings (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  row    INTEGER NOT NULL UNIQUE REFERENCES memory_rows(rowid) ON DELETE CASCADE,
  model  INTEGER NOT NULL REFERENCES vector_models(id),
  vector BLOB NOT NULL              -- a signed byte for each dimension
) STRICT;
CREATE INDEX memory_embeddings_by_model ON memory_embeddings(model, row);

-- Calls to an endpoint without a price (your own machine) are recorded, but use no budget.
ALTER TABLE model_calls ADD COLUMN is_free INTEGER NOT NULL DEFAULT 0;
