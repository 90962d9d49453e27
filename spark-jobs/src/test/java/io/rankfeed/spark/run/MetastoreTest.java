package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetastoreTest {
    @Test
    void metastore_absent_isNotMadeInTheWorkingDirectory() {
        assertThatThrownBy(() -> Metastore.refuseUnlessNamed(new SparkConf(false)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no metastore is named")
                .hasMessageContaining("hive.metastore.uris=thrift://");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spark.hadoop.hive.metastore.uris",
                "spark.hive.metastore.uris",
                "spark.hadoop.hive.metastore.client.factory.class",
                "spark.hadoop.javax.jdo.option.ConnectionURL"
            })
    void metastore_named_isTaken(String key) {
        assertThatCode(() -> Metastore.refuseUnlessNamed(new SparkConf(false).set(key, "thrift://127.0.0.1:1")))
                .doesNotThrowAnyException();
    }
}
