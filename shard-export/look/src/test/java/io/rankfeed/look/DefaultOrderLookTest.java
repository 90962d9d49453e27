package io.rankfeed.look;

import static io.rankfeed.look.InspectFixture.inspect;
import static io.rankfeed.look.InspectFixture.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.look.InspectFixture.Answer;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.run.VersionCommit;
import io.rankfeed.schema.store.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version by its path, whose order is next to it. */
class DefaultOrderLookTest {
    private static final String VERSION = "a46aef0157b1abee";
    private static final String ORDER = "ed3322a593a243bf";

    @TempDir
    private Path folder;

    private Path dataset = Path.of("");
    private String version = "";

    @BeforeEach
    void copy() throws IOException {
        dataset = InspectFixture.goldenDataset(folder.resolve("golden"));
        version = dataset.resolve("versions").resolve(VERSION).toString();
    }

    private Path order(String id) {
        return dataset.resolve("orders").resolve(id).resolve(Order.FILE_NAME);
    }

    @Test
    void version_withoutOrder_isInspectedButNotSimulated() throws IOException {
        assertThat(inspect(version).out()).contains("train: 10 steps of 4 rows").doesNotContain("order: none");
        Files.delete(order(ORDER));
        Answer answer = inspect(version);
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.out())
                .contains("37 rows in 8 files", "columns: label int32", "order: none; ", ORDER)
                .doesNotContain("10 steps");
        assertThat(simulate(version).exitCode()).isEqualTo(2);
        assertThat(inspect(version, "--json").out()).contains("\"rows\" : 37");
    }

    @Test
    void order_ofAnotherVersion_isRefused() throws IOException {
        Order other = OrderName.at(order(ORDER).toString(), LocalFiles.INSTANCE).over("0011223344556677");
        Files.createDirectories(order(other.plan()).getParent());
        Files.write(order(other.plan()), OrderJson.toBytes(other));
        Files.write(
                dataset.resolve(VersionCommit.FOLDER).resolve(VersionCommit.fileName(1)),
                new VersionCommit("r", VERSION, Optional.of(other.plan()), Optional.empty()).toBytes());
        Answer answer = simulate(version);
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("is a plan over version 0011223344556677");
        assertThat(inspect(version).out()).contains("order: none; plan " + other.plan());
    }
}
