-- Chinese, Japanese and Korean text is indexed with English words for it. The daemon indexes older rows again in the background.
DELETE FROM reindexing;
INSERT INTO reindexing (next, until)
SELECT 1, (SELECT max(rowid) FROM memory_rows) WHERE EXISTS (SELECT 1 FROM memory_rows);
