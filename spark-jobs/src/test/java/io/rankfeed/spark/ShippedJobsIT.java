package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.job.Job;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.PackedList;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Sample;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each job file of conf/jobs that reads a public data set's own layout, over a little of that layout. */
class ShippedJobsIT {
    private static final Path JOBS = Path.of("..", "conf", "jobs");
    private static final Path HUMANEVAL = Path.of("..", "..", "shared", "data", "humaneval", "HumanEval.jsonl.gz");
    private static final String TOKENIZER = "prepare.tokenizers.model.file="
            + Path.of("../schema/text/src/test/resources/tokenizer/tiny.json").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void codeContests_asPublished_givesARowForEachSolution() {
        session()
                .sql("SELECT concat('problem ', id) AS name, 'add the numbers' AS description, named_struct('input',"
                        + " array('1 2', '3', '9'), 'output', array('3', '3', '9')) AS public_tests, 2L AS source, id"
                        + " % 5 AS difficulty, 800L AS cf_rating, named_struct('language', array(1L, 2L, 3L),"
                        + " 'solution', array('print 1', 'int main', 'print(2)')) AS solutions,"
                        + " named_struct('language', array(2L, 3L), 'solution', array('void', 'pass')) AS"
                        + " incorrect_solutions FROM range(200)")
                .write()
                .parquet(folder.resolve("in").toString());
        List<Row> rows = rows(
                "codecontests-published",
                "sources.problems.parquet=" + folder.resolve("in"),
                TOKENIZER,
                "sample.train.batch=8",
                "sample.valid.batch=8");
        assertThat(rows).hasSize(600);
        assertThat(rows).filteredOn(row -> row.getAs("is_correct")).hasSize(400);
        assertThat(rows)
                .extracting(row -> row.<String>getAs("task_id"))
                .contains("problem 7_correct_0", "problem 7_correct_2", "problem 7_incorrect_1");
        Row row = rows.get(0);
        assertThat(row.<Integer>getAs("prompt_length")).isBetween(10, row.<byte[]>getAs("input_ids").length / 4 - 1);
        assertThat(row.<Integer>getAs("source")).isEqualTo(2);
    }

    @Test
    @Tag("nightly")
    void humanEval_givesEveryProblemInOrder() throws IOException {
        Path file = folder.resolve("problems.jsonl");
        if (Files.exists(HUMANEVAL)) {
            try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(HUMANEVAL))) {
                Files.write(file, in.readAllBytes());
            }
        } else {
            Files.writeString(
                    file,
                    ("{\"task_id\": \"HumanEval/0\", \"prompt\": \"def f():\\n"
                                    + "\", \"canonical_solution\": \"  pass\\n"
                                    + "\", \"test\": \"check\", \"entry_point\": \"f\"}\n")
                            .repeat(16));
        }
        long lines;
        try (var all = Files.lines(file)) {
            lines = all.filter(line -> !line.isBlank()).count();
        }
        List<Row> rows = rows("humaneval", "sources.problems.jsonl=" + file, TOKENIZER);
        assertThat(rows).hasSize((int) lines);
        assertThat(rows.get(0).<String>getAs("task_id")).isEqualTo("HumanEval/0");
    }

    @Test
    @Tag("nightly")
    void mbpp_givesTheSplitsOfItsAuthors() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int id = 5; id < 700; id += 5) {
            lines.add("{\"task_id\": " + id + ", \"text\": \"Write a function.\", \"code\": \"def f(x): return x\","
                    + " \"test_list\": [\"assert set(find_it(1)) == 1\", \"assert find_it(2)\"],"
                    + " \"test_setup_code\": \"\"}");
        }
        Files.write(folder.resolve("mbpp.jsonl"), lines);
        List<Row> rows = rows("mbpp", "sources.problems.jsonl=" + folder.resolve("mbpp.jsonl"), TOKENIZER);
        assertThat(rows).hasSize(139);
        assertThat(rows).filteredOn(row -> row.getAs("split").equals("prompt")).hasSize(2);
        assertThat(rows).filteredOn(row -> row.getAs("split").equals("test")).hasSize(100);
        assertThat(rows).filteredOn(row -> row.getAs("split").equals("train")).hasSize(19);
    }

    @Test
    void chats_arePackedConversationsWithTheirAnswers() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            String id = i % 2 == 0 ? "\"id\": \"chat " + i + "\", " : "";
            lines.add("{" + id + "\"messages\": [{\"role\": \"user\", \"content\": \"question " + i
                    + "\"}, {\"role\": \"assistant\", \"content\": \"answer\"}]}");
        }
        lines.add("{\"id\": \"unanswered\", \"messages\": [{\"role\": \"user\", \"content\": \"x\"}]}");
        Files.write(folder.resolve("chats.jsonl"), lines);
        Files.writeString(
                folder.resolve("tokenizer_config.json"),
                new ObjectMapper()
                        .createObjectNode()
                        .put(
                                "chat_template",
                                Files.readString(
                                        Path.of("../schema/text/src/test/resources/chat/published/qwen2_5.jinja")))
                        .toString());
        List<Row> rows = rows(
                "chat-sft",
                "sources.chats.jsonl=" + folder.resolve("chats.jsonl"),
                TOKENIZER,
                "prepare.tokenizers.model.chat=" + folder.resolve("tokenizer_config.json"));
        assertThat(rows.stream().mapToInt(row -> row.getAs("member_count")).sum())
                .isEqualTo(400);
        assertThat(rows).hasSizeLessThan(100).allMatch(row -> row.<Integer>getAs("token_count") <= 2048);
        assertThat(rows).allMatch(row -> row.<byte[]>getAs("answers").length == 8 * row.<Integer>getAs("member_count"));
    }

    @Test
    void conversations_inEitherLayout_haveTheirImages() throws IOException {
        image("images/a.png");
        image("images/sub/b.png");
        byte[] first = Files.readAllBytes(folder.resolve("images/a.png"));
        byte[] second = Files.readAllBytes(folder.resolve("images/sub/b.png"));
        List<String> lines = new ArrayList<>();
        lines.add("");
        for (int i = 0; i < 20; i++) {
            lines.add("{\"image\": \"a.png\", \"conversations\": [{\"from\": \"human\", \"value\": \"what " + i
                    + "?\"}, {\"from\": \"gpt\", \"value\": \"this\"}]}");
            lines.add(
                    "{\"id\": \"both " + i + "\", \"label\": 3, \"conversations\": [{\"role\": \"user\", \"content\": ["
                            + "{\"type\": \"image\", \"image\": \"sub/b.png\"}, {\"type\": \"text\", \"text\": \"and\"},"
                            + "{\"type\": \"image\", \"image\": \"a.png\"}]}, {\"role\": \"assistant\", \"content\": \"that\"}]}");
        }
        lines.add(
                "{\"id\": \"lost\", \"image\": \"c.png\", \"conversations\": [{\"from\": \"human\", \"value\": \"x\"}]}");
        for (String path : List.of("./a.png", "sub//../a.png", "sub/../sub/.././a.png")) {
            lines.add("{\"id\": \"" + path + "\", \"image\": \"" + path
                    + "\", \"conversations\": [{\"from\": \"human\", \"value\": \"x\"}]}");
        }
        for (String path : List.of("../images/a.png", "/images/a.png")) {
            lines.add("{\"id\": \"" + path + "\", \"image\": \"" + path
                    + "\", \"conversations\": [{\"from\": \"human\", \"value\": \"x\"}]}");
        }
        lines.add("{\"id\": \"mentioned\", \"image\": \"a.png\", \"conversations\": [{\"from\": \"human\", \"value\":"
                + " \"what is \\\\<image>?\"}, {\"from\": \"gpt\", \"value\": \"\\\\<image> is\"}]}");
        lines.add(
                "{\"id\": \"mentioned in parts\", \"conversations\": [{\"role\": \"user\", \"content\": [{\"type\": \"text\","
                        + " \"text\": \"is <image>\"}, {\"type\": \"image\", \"image\": \"a.png\"}, {\"type\": \"text\", \"text\": \"<ima\"},"
                        + " {\"type\": \"text\", \"text\": \"ge>?\"}]}]}");
        lines.add("{\"id\": \"none\", \"conversations\": [{\"from\": \"human\", \"value\": \"x\"}]}");
        lines.add("{\"id\": \"film\", \"conversations\": [{\"from\": \"human\", \"value\": [{\"type\": \"video\"}]}]}");
        lines.add("{\"id\": \"cut\", \"image\": \"a.p");
        lines.add("{\"id\": \"words\", \"conversations\": \"hello\"}");
        Files.write(folder.resolve("c.jsonl"), lines);
        ObjectMapper json = new ObjectMapper();
        Files.writeString(
                folder.resolve("tokenizer_config.json"),
                json.createObjectNode()
                        .put(
                                "chat_template",
                                Files.readString(
                                        Path.of("../schema/text/src/test/resources/chat/published/qwen2_5.jinja")))
                        .toString());
        ObjectNode tokenizer = (ObjectNode) json.readTree(
                Path.of("../schema/text/src/test/resources/tokenizer/tiny.json").toFile());
        int imageToken = 320;
        tokenizer
                .withArray("added_tokens")
                .addObject()
                .put("id", imageToken)
                .put("content", "<image>")
                .put("single_word", false)
                .put("lstrip", false)
                .put("rstrip", false)
                .put("normalized", false)
                .put("special", true);
        json.writeValue(folder.resolve("tokenizer.json").toFile(), tokenizer);
        List<Row> rows = rows(
                "conversations",
                "sources.conversations.jsonl=" + folder.resolve("c.jsonl"),
                "sources.images.binary=" + folder.resolve("images"),
                "prepare.tokenizers.model.file=" + folder.resolve("tokenizer.json"),
                "prepare.tokenizers.model.chat=" + folder.resolve("tokenizer_config.json"),
                "prepare.quarantine-at-most=1",
                "sample.train.batch=8");
        Map<String, List<byte[]>> images = new TreeMap<>();
        for (Row row : rows) {
            images.put(row.getAs("id"), items(row.getAs("images")));
            IntBuffer tokens = ByteBuffer.wrap(row.<byte[]>getAs("tokens"))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asIntBuffer();
            int[] ids = new int[tokens.remaining()];
            tokens.get(ids);
            assertThat(Arrays.stream(ids).filter(id -> id == imageToken))
                    .as(row.<String>getAs("id"))
                    .hasSize(images.get(row.<String>getAs("id")).size());
            assertThat(row.<Object>getAs("label"))
                    .isEqualTo(row.<String>getAs("id").startsWith("both") ? 3 : null);
        }
        assertThat(images).hasSize(46);
        for (String path : List.of("./a.png", "sub//../a.png", "sub/../sub/.././a.png")) {
            assertThat(images.get(path)).containsExactly(first);
        }
        for (int i = 0; i < 20; i++) {
            assertThat(images.get(String.valueOf(2 * i + 1))).containsExactly(first);
            assertThat(images.get("both " + i)).containsExactly(second, first);
        }
        assertThat(images.get("none")).isEmpty();
        List<Row> bad = session()
                .read()
                .parquet(folder.resolve("out/conversations/prepared/*/quarantine")
                        .toString())
                .collectAsList();
        assertThat(bad)
                .extracting(row -> row.<String>getAs("reason"))
                .containsExactlyInAnyOrder(
                        "unfit-chat", "unfit-chat", "unfit-chat", "unfit-chat", "malformed-line", "raised");
        assertThat(bad)
                .filteredOn(row -> !row.getAs("reason").equals("malformed-line"))
                .extracting(row -> row.<Long>getAs("source_row") + " " + row.<String>getAs("message"))
                .anyMatch(message -> message.startsWith("41 ") && message.contains("no image c.png in the folder"))
                .anyMatch(
                        message -> message.startsWith("45 ") && message.contains("'../images/a.png', which is outside"))
                .anyMatch(message ->
                        message.startsWith("46 ") && message.contains("'/images/a.png', which is not a path"));
    }

    @Test
    void imageFolder_isLabelledByItsFolders() throws IOException {
        for (int i = 0; i < 90; i++) {
            image("images/" + (i % 3 == 0 ? "cat" : "dog") + "/" + i + ".png");
        }
        List<Row> rows = rows(
                "image-folder",
                "sources.images.binary=" + folder.resolve("images"),
                "sample.train.batch=8",
                "sample.valid.batch=8");
        assertThat(rows).hasSize(90);
        assertThat(rows).filteredOn(row -> row.<Integer>getAs("label_id") == 0).hasSize(30);
    }

    private List<Row> rows(String name, String... more) {
        List<String> assignments = new ArrayList<>(List.of(more));
        assignments.add("root=" + folder.resolve("out"));
        Path file = JOBS.resolve(name + ".yaml");
        Job job;
        try {
            job = JobFile.read(file.toString(), Files.readAllBytes(file), assignments);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        JobContext context = JobContext.of(session(), job, Progress.NONE);
        PreparedTable table = Prepare.run(context);
        assertThat(Sample.run(context, table).rows()).isPositive();
        return session()
                .read()
                .parquet(table.path() + "/data")
                .orderBy("_metadata.file_path", "_metadata.row_index")
                .collectAsList();
    }

    private static List<byte[]> items(byte[] packed) {
        PackedList list = new PackedList(packed, 0, packed.length);
        List<byte[]> items = new ArrayList<>();
        int at = list.valuesOffset();
        for (int i = 0; i < list.count(); i++) {
            items.add(Arrays.copyOfRange(packed, at, at + list.itemLength(i)));
            at += list.itemLength(i);
        }
        return items;
    }

    private void image(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        ImageIO.write(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    }

    private static SparkSession session() {
        return LocalSpark.current(3);
    }
}
