-- Everything that a machine asks for when it polls, in one call. In PL/pgSQL, whose plans stay in the connection: a statement
-- under the policies would be planned at every poll, which costs the server five times as much.
CREATE FUNCTION rookery.poll_v1() RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_device rookery.devices;
  v_identity jsonb;
  v_projects jsonb := '[]';
BEGIN
  SELECT * INTO v_device FROM rookery.devices d WHERE d.role_name = session_user;
  SELECT jsonb_build_object(
      'state', CASE WHEN v_device.revoked_at IS NOT NULL OR v_device.expires_at <= now() THEN 'revoked'
                    WHEN v_device.joined_at IS NULL THEN 'invited' ELSE 'joined' END,
      'hub', m.hub_id, 'epoch', m.epoch, 'version', m.schema_version, 'oldestClient', m.oldest_client, 'device', v_device.id,
      'deviceName', v_device.name, 'kind', v_device.kind, 'readOnly', v_device.read_only, 'member', p.name, 'isAdmin', p.is_admin)
    INTO v_identity FROM rookery.members p CROSS JOIN rookery.meta m WHERE p.id = v_device.member_id;
  IF v_identity ->> 'state' = 'joined' THEN
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'head', p.head, 'fence', p.fence)), '[]') INTO v_projects
      FROM rookery.grants g JOIN rookery.projects p ON p.id = g.project_id WHERE g.member_id = v_device.member_id;
    -- Shown to the administrator; a write at every poll would cost more than the poll.
    IF v_device.seen_at < now() - interval '1 hour' THEN
      UPDATE rookery.devices d SET seen_at = now() WHERE d.id = v_device.id;
    END IF;
  END IF;
  RETURN jsonb_build_object('identity', v_identity, 'projects', v_projects);
END $$;
REVOKE ALL ON FUNCTION rookery.poll_v1() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rookery.poll_v1() TO {{devices}};
