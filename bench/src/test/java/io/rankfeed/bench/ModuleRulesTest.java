package io.rankfeed.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the imports between modules; the rules are here because this module depends on all others. A rule whose module
 * has no class fails.
 */
class ModuleRulesTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.rankfeed");

    @Test
    void schema_imports_noOtherModule() {
        assertSeesOnly("schema");
    }

    @Test
    void sampling_imports_onlySchema() {
        assertSeesOnly("sampling", "schema");
    }

    /** Code that reads an order does not depend on planning. */
    @Test
    void rowOrder_imports_nothingOfPlanning() {
        for (String reader : List.of("sampling.order", "feeder")) {
            noClasses()
                    .that()
                    .resideInAPackage(packagesOf(reader))
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(packagesOf("sampling.plan"), packagesOf("sampling.simulate")))
                    .check(OURS);
        }
        noClasses()
                .that()
                .resideInAPackage(packagesOf("sampling.plan"))
                .should()
                .dependOnClassesThat(resideInAnyPackage(packagesOf("sampling.simulate")))
                .check(OURS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"schema", "text", "sampling", "export", "look", "spark", "feeder"})
    void packages_dependencies_haveNoCycles(String module) {
        slices().matching("io.rankfeed." + module + ".(**)")
                .should()
                .beFreeOfCycles()
                .check(OURS);
    }

    @Test
    void shardExport_imports_onlySchema() {
        assertSeesOnly("export", "schema");
    }

    @Test
    void console_imports_onlySchema() {
        assertSeesOnly("console", "schema");
    }

    @Test
    void text_imports_onlySchema() {
        assertSeesOnly("text", "schema");
    }

    @Test
    void jobFiles_import_onlySchemaAndSampling() {
        assertSeesOnly("job", "schema", "sampling");
    }

    @Test
    void reports_import_onlySchemaAndSampling() {
        assertSeesOnly("report", "schema", "sampling");
    }

    @Test
    void look_imports_noJobs() {
        assertSeesOnly("look", "schema", "sampling", "report", "console", "export.parquet", "export.petastorm");
    }

    @Test
    void sparkJobs_imports_nothingOfFeeder() {
        assertSeesOnly("spark", "schema", "console", "text", "sampling", "job", "report", "export", "look");
    }

    /** A plan may be made before the rows are read; who runs the job says so to prepare. */
    @Test
    void prepareNeverSeesSample() {
        noClasses()
                .that()
                .resideInAPackage(packagesOf("spark.prepare"))
                .should()
                .dependOnClassesThat(resideInAnyPackage(packagesOf("spark.sample")))
                .check(OURS);
    }

    @Test
    void feeder_imports_neitherJobsNorWriters() {
        assertSeesOnly("feeder", "schema", "console", "sampling", "job", "report", "look");
    }

    /** The client of HDFS is loaded as one of the feeder's stores, and no module imports it. */
    @Test
    void hdfsClient_imports_onlyRemoteStores() {
        assertSeesOnly("remote", "feeder.remote", "schema.store");
        noClasses()
                .that()
                .resideOutsideOfPackage(packagesOf("remote"))
                .should()
                .dependOnClassesThat(resideInAnyPackage(packagesOf("remote")))
                .check(OURS);
        noClasses()
                .that()
                .resideInAPackage(packagesOf("remote"))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.spark..", "io.delta..", "scala.."))
                .check(OURS);
    }

    /** Native image code is behind one interface, and no other module calls it. */
    @Test
    void openCv_uses_onlyInImages() {
        assertSeesOnly("images", "feeder.transform", "schema");
        noClasses()
                .that()
                .resideOutsideOfPackage(packagesOf("images"))
                .should()
                .dependOnClassesThat(resideInAnyPackage(packagesOf("images"), "org.bytedeco.."))
                .check(OURS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"schema", "text", "sampling", "job", "export.lane", "export.card", "export.petastorm", "report", "look", "feeder"})
    void module_uses_neitherSparkNorHadoop(String module) {
        noClasses()
                .that()
                .resideInAPackage(packagesOf(module))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "io.delta..", "scala.."))
                .check(OURS);
    }

    @Test
    void shardExport_uses_noSpark() {
        noClasses()
                .that()
                .resideInAPackage(packagesOf("export"))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.spark..", "io.delta..", "scala.."))
                .check(OURS);
    }

    /** Row classes are part of what Spark's connector API passes on; plans, operators and sessions are not. */
    @Test
    void sparkInternals_uses_onlyInEngine() {
        DescribedPredicate<JavaClass> rows = DescribedPredicate.describe("is a row class", type -> type.getName()
                .matches(".*\\.(\\w*Row|\\w*ArrayData|UnsafeRowWriter|UnsafeProjection|SpecializedGetters)\\$?"));
        noClasses()
                .that()
                .resideOutsideOfPackage(packagesOf("spark.engine"))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "org.apache.spark.sql.catalyst..",
                                "org.apache.spark.sql.execution..",
                                "org.apache.spark.sql.classic..",
                                "org.apache.spark.sql.internal..")
                        .and(DescribedPredicate.not(rows)))
                .check(OURS);
    }

    @Test
    void sampling_uses_noInputOrOutput() {
        DescribedPredicate<JavaClass> impure = resideInAnyPackage(
                        "java.io..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.net..",
                        "java.time..",
                        "java.util.random..")
                .or(DescribedPredicate.describe("is a source of chance, time or threads", SamplingBans::contains));
        noClasses()
                .that()
                .resideInAPackage(packagesOf("sampling"))
                .should()
                .dependOnClassesThat(impure)
                .because("an order is a function of plan, seed and step")
                .check(OURS);
        noClasses()
                .that()
                .resideInAPackage(packagesOf("sampling"))
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .check(OURS);
    }

    @Test
    void names_suffixes_areSpecific() {
        noClasses()
                .should()
                .haveNameMatching(".*(Impl|Utils?|Manager|Helper)(\\$.*)?")
                .check(OURS);
    }

    private static void assertSeesOnly(String module, String... others) {
        String[] seen = Stream.concat(Stream.of(module), Arrays.stream(others))
                .map(ModuleRulesTest::packagesOf)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(packagesOf(module))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.rankfeed..").and(resideOutsideOfPackages(seen)))
                .check(OURS);
    }

    private static String packagesOf(String module) {
        return "io.rankfeed." + module + "..";
    }

    private static final class SamplingBans {
        static boolean contains(JavaClass type) {
            return type.isAssignableTo(java.util.Random.class)
                    || type.isEquivalentTo(java.util.SplittableRandom.class)
                    || type.isAssignableTo(Thread.class)
                    || type.isEquivalentTo(java.util.UUID.class);
        }
    }
}
