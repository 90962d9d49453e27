package io.rankfeed.schema.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.config.Redaction;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredJobTest {
    @Test
    void aJobWithoutSecretsIsStoredAsItIs() {
        ObjectNode job = job("SELECT token_count FROM t WHERE password_hash IS NULL");
        assertThat(StoredJob.of(job)).isSameAs(job);
    }

    @Test
    void secret_inJob_isNotStoredButChangesTheIdentity() {
        ObjectNode stored = StoredJob.of(job("SELECT * FROM t WHERE url = 'https://h/?sig=qZ7-one'"));
        assertThat(stored.toString()).doesNotContain("qZ7-one").contains("?sig=<redacted>'");
        assertThat(StoredJob.of(job("SELECT * FROM t WHERE url = 'https://h/?sig=qZ7-one'")))
                .isEqualTo(stored);
        ObjectNode other = StoredJob.of(job("SELECT * FROM t WHERE url = 'https://h/?sig=qZ7-two'"));
        assertThat(id(other)).isNotEqualTo(id(stored));
        assertThat(StoredJob.of(stored)).as("stored again").isSameAs(stored);
    }

    @Test
    void secrets_ofTheProcess_doNotChangeTheIdentity() {
        ObjectNode job = job("SELECT 'qZ7-learned-elsewhere' AS x");
        Redaction.learn("api_key", "qZ7-learned-elsewhere");
        assertThat(StoredJob.of(job)).isSameAs(job);
    }

    private static ObjectNode job(String sql) {
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        job.putObject("prepare").put("sql", sql).put("rows", 3L);
        return job;
    }

    private static String id(ObjectNode job) {
        return Manifest.idOf(ArtifactFormat.PREPARED, job, List.of());
    }
}
